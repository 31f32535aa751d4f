// What a kernel's line says, as a step of a pipeline.
#pragma once

#include <functional>
#include <memory>

#include "harness/own/binding.hpp"
#include "harness/registry/step.hpp"

namespace camber {

using MakeStage = std::function<std::unique_ptr<Stage>(const StageContext&)>;

// Without the step's name, and with no other shared memory than the line's.
StepPlan kernel_plan(const BoundKernel& kernel, const TechniqueInfo& technique,
                     const MakeStage& make);

}  // namespace camber
