// What the arguments of a kernel's line are worth in a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/own/binding.hpp"
#include "harness/registry/step.hpp"

namespace camber {

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

}  // namespace camber
