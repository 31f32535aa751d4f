// A workload that a kernel of the user's own defines: what it computes is right.
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
    std::filesystem::path reference;  // the kernel's file
    // .npy files for the fields that it reads, in the order of its arguments, or NAME=FILE. Others
    // are filled.
    std::vector<std::string> inputs;
    enum class Fill { random, zeros };
    Fill fill = Fill::random;
    // How far a cell may be off: as a share of the reference's value, or as a number; absent: 1e-5
    // for float32, 1e-12 for float64. Whole numbers must agree.
    std::optional<double> tolerance;
    CandidateOptions options;
};

// Called by the name of its file, "own_sharpen"; its fields are those of the file's arguments: `in`
// and `out` alone are the field `cells`. A generation runs the kernel on the executor.
class OwnWorkload final : public Workload, public HasBoardFields {
  public:
    // Throws Error(usage) for what is wrong with the files.
    static std::unique_ptr<OwnWorkload> make(const OwnProblem& problem);

    // Of the inputs, where there are some.
    std::optional<Size> size() const;

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType) const override { return fields_; }
    // On another size than the inputs' they are repeated, or cut.
    State initial(const InitialConditions& conditions) const override;
    // Throws Error(usage) if the kernel leaves out cells of its outputs: nothing says what is right
    // there.
    void generation(const State& from, State& to, const GenerationContext& context) const override;
    Tolerance tolerance(const Computation& computation) const override;
    FinalState final_state(const State& state) const override;
    // The fields that it writes, as .npy files: of several, each with its name in the path.
    void save(const State& state, const std::filesystem::path& path, const Run& run) const override;

  private:
    // What the facts point to.
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
