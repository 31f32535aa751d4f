// A problem of named arrays with one to three dimensions, defined by a user's own kernel, by .npy
// files with the correct results, or by a library with a function for the CPU.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/own/problem/array_definition.hpp"
#include "harness/own/problem/own_workload.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

// Shared library that computes the correct results of an array problem on the CPU
// (include/camber/reference.h).
class ReferenceLibrary {
  public:
    // Throws Error(usage) if the file is no such library.
    explicit ReferenceLibrary(const std::filesystem::path& path);
    ~ReferenceLibrary();
    ReferenceLibrary(const ReferenceLibrary&) = delete;
    ReferenceLibrary& operator=(const ReferenceLibrary&) = delete;

    // Runs the function on the arrays of `state`. Throws Error(wrong_result) if it fails.
    void compute(const std::vector<NamedArray>& arrays, State& state) const;

  private:
    std::filesystem::path path_;
    void* handle_ = nullptr;
    void* function_ = nullptr;
};

// The arrays are those of the arguments in the `camber:` lines of the reference or, if it is no
// kernel, of problem.definition.
class ArrayWorkload final : public Workload, public HasBoardFields, public HasNamedArrays {
  public:
    // Throws Error(usage) if a file is invalid or a shape is missing.
    static std::unique_ptr<ArrayWorkload> make(const OwnProblem& problem);

    // Problem whose arrays and correct results are known. `source`: where the results come from.
    static std::unique_ptr<ArrayWorkload> make(
        const std::string& name, const std::string& source, ArrayDefinition definition,
        std::map<std::string, ArrayRule, std::less<>> rules);

    // Board that stands for the problem: the lines of the largest array.
    Size board() const;

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    const HasNamedArrays* named_arrays() const override { return this; }
    std::vector<BoardField> fields(ElementType) const override;
    const std::vector<NamedArray>& arrays() const override;
    NamedNumbers scalars() const override;
    ArrayRule rule_of(std::string_view array) const override;

    std::string describe_start(const InitialConditions& conditions,
                               const ParameterSet& parameters) const override;
    State initial(const InitialConditions& conditions) const override;
    // Throws Error(usage) if the reference does not write all of its outputs.
    void generation(const State& from, State& to, const GenerationContext& context) const override;
    FinalState final_state(const State& state) const override;
    // Writes the outputs as .npy files; if there are several, each path contains the array's name.
    void save(const State& state, const std::filesystem::path& path, const Run& run) const override;

  private:
    struct Description;
    explicit ArrayWorkload(std::shared_ptr<const Description> description);
    ArrayWorkload(std::shared_ptr<const Description> description, const OwnProblem& problem);

    // Computes the outputs after filling them with `poison`.
    void compute(const State& from, State& to, const GenerationContext& context,
                 Poison poison) const;

    std::shared_ptr<const Description> description_;
    std::optional<Variant> kernels_;
    std::unique_ptr<ReferenceLibrary> library_;
};

// True if the problem consists of arrays: by its options, by the lines of its reference, or because
// a board has no such element type.
bool is_array_problem(const OwnProblem& problem);

}  // namespace camber
