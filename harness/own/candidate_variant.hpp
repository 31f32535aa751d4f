// Variant made from the kernels in a user's own file, which is then measured like any built-in variant;
// and the pipeline step for a kernel's `camber:` line with the values of its arguments during a run, also
// for kernels in launch libraries. Stages that launch a kernel on a GPU or on the executor.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/own/binding.hpp"
#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// Values of the arguments in a kernel's `camber:` line during a run.
class BoundArguments {
  public:
    BoundArguments(const StageContext& context, const BoundKernel& kernel, const Workload& workload)
        : context_(context),
          kernel_(kernel),
          numbers_(rule_numbers(workload, context.problem.parameters)) {}

    // Value of a number argument.
    double number(const Argument& argument, int generation) const {
        return value(argument, generation).number;
    }
    // Address of cell (0, 0) of a pointer argument.
    void* cells(const Argument& argument) const;
    // All values of the workload's number with that name.
    const std::vector<double>& numbers(const std::string& name) const {
        return numbers_.find(name)->second;
    }

  private:
    ExpressionValue value(const Argument& argument, int generation) const;

    StageContext context_;
    const BoundKernel& kernel_;
    std::map<std::string, std::vector<double>, std::less<>> numbers_;
};

// Creates the stage of a pipeline step.
using MakeStage = std::function<std::unique_ptr<Stage>(const StageContext&)>;

// Plan of the step for a kernel's `camber:` line. The name is left empty, and shared memory
// includes only the line's.
StepPlan kernel_plan(const BoundKernel& kernel, const TechniqueInfo& technique,
                     const MakeStage& make);

// Makes a variant of `workload` on `cell` cells from the file's kernels. They are compiled for the
// executor now, and for a GPU at the first launch on one. Throws the exceptions of
// CandidateProgram.
Variant candidate_variant(const std::filesystem::path& path, const Workload& workload,
                          ElementType cell, const CandidateOptions& options = {});

// Makes the variant of a candidate for one workload.
using CandidateMaker = std::function<Variant(const std::filesystem::path& path, ElementType cell,
                                             const CandidateOptions& options)>;
// Replaces candidate_variant() for a workload whose candidates have no `camber:` line of a kernel,
// such as a captured launch.
void set_candidate_maker(const Workload& workload, CandidateMaker maker);
bool has_candidate_maker(const Workload& workload);
bool has_any_candidate_maker();

// `kernel`: index among the program's kernels.
std::unique_ptr<Stage> make_candidate_stage(const StageContext& context,
                                            std::shared_ptr<CandidateProgram> program,
                                            std::size_t kernel);

// Execution of the program's kernels in order on its named arrays, each of which has a shape of its
// own. An array that one kernel reads as `in` and writes as `out` has two buffers.
std::unique_ptr<Execution> array_execution(Queue& queue, const Problem& problem,
                                           std::shared_ptr<CandidateProgram> program);

}  // namespace camber
