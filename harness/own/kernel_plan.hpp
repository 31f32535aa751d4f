// Pipeline step for a kernel's `camber:` line, and the values of the line's arguments during a run.
// Used for kernels in source files and in launch libraries.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/own/binding.hpp"
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

}  // namespace camber
