// A workload that a user's own kernel defines: its results are the reference for all variants.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

struct OwnProblem {
    std::filesystem::path reference;  // the reference kernel's file
    // .npy files for the fields that the kernel reads, in the order of its arguments, or NAME=FILE.
    // Other fields are filled with `fill`.
    std::vector<std::string> inputs;
    enum class Fill { random, zeros };
    Fill fill = Fill::random;
    // Tolerance per cell, as a share of the reference's value or as an absolute number; absent:
    // 1e-5 for float32, 1e-12 for float64. Integers must agree exactly.
    std::optional<double> tolerance;
    CandidateOptions options;

    // For problems that consist of arrays (array_workload.hpp), each as NAME=TEXT.
    std::vector<std::string> shapes;
    std::vector<std::string> scalars;
    std::vector<std::string> expected;  // .npy files with the correct outputs
    std::vector<std::string> rules;     // comparison rules
    // File whose `camber:` lines name the arrays if no reference kernel does: a candidate.
    std::filesystem::path definition;
};

// The workload is named after its file, "own_sharpen". Its fields are those of the kernel's
// arguments; `in` and `out` without a name form the field `cells`. A generation runs the kernel on
// the executor.
class OwnWorkload final : public Workload, public HasBoardFields {
  public:
    // Throws Error(usage) if a file is invalid.
    static std::unique_ptr<OwnWorkload> make(const OwnProblem& problem);

    // Size of the input files; absent if there are none.
    std::optional<Size> size() const;

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType) const override { return fields_; }
    // If the size differs from that of the inputs, these are repeated or cropped.
    State initial(const InitialConditions& conditions) const override;
    // Throws Error(usage) if the kernel does not write all cells of its outputs, because their
    // correct values would be undefined.
    void generation(const State& from, State& to, const GenerationContext& context) const override;
    Tolerance tolerance(const Computation& computation) const override;
    FinalState final_state(const State& state) const override;
    // Writes the output fields as .npy files. If there are several, each path contains the field's
    // name.
    void save(const State& state, const std::filesystem::path& path, const Run& run) const override;

  private:
    // Data that the workload's facts point to.
    struct Description;
    OwnWorkload(std::shared_ptr<const Description> description, const OwnProblem& problem);

    void read_inputs(const OwnProblem& problem);

    std::shared_ptr<const Description> description_;
    std::vector<BoardField> fields_;
    OwnProblem::Fill fill_;
    std::optional<double> tolerance_;
    std::vector<HostField> inputs_;
    std::optional<Variant> reference_;
};

}  // namespace camber
