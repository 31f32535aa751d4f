// Pipeline step for a kernel's `camber:` line, and the values of the line's arguments during a run.
// Kernels in source files and in launch libraries share it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/own/binding.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// What the arguments of a kernel's line are worth in a run.
class BoundArguments {
  public:
    BoundArguments(const StageContext& context, const BoundKernel& kernel, const Workload& workload)
        : context_(context),
          kernel_(kernel),
          numbers_(rule_numbers(workload, context.problem.parameters)) {}

    // Of an argument that is a number.
    double number(const Argument& argument, int generation) const {
        return value(argument, generation).number;
    }
    // Of one that is a pointer: where cell (0, 0) lies.
    void* cells(const Argument& argument) const;
    // All numbers of that name.
    const std::vector<double>& numbers(const std::string& name) const {
        return numbers_.find(name)->second;
    }

  private:
    ExpressionValue value(const Argument& argument, int generation) const;

    StageContext context_;
    const BoundKernel& kernel_;
    std::map<std::string, std::vector<double>, std::less<>> numbers_;
};

// What a kernel's line says, as a step of a pipeline.
using MakeStage = std::function<std::unique_ptr<Stage>(const StageContext&)>;

// Without the step's name, and with no other shared memory than the line's.
StepPlan kernel_plan(const BoundKernel& kernel, const TechniqueInfo& technique,
                     const MakeStage& make);

}  // namespace camber
