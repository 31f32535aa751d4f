// The toy workload's two steps, by halo, in one shape.
#pragma once

#include <vector>

#include "tests/harness/registry/toy_steps.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::toy {

// Of one buffer of cells, which an earlier step of the generation reads.
inline std::vector<StepPlan> toy_plans() {
    std::vector<StepPlan> plans;
    for (const auto& choices :
         {step_choices<Spread, TechniqueList<Halo>>(), step_choices<Blend, TechniqueList<Halo>>()})
        for (const StepPlan& plan : choices)
            if (plan.name() == "halo/16x16/unaligned") plans.push_back(plan);
    return plans;
}

}  // namespace camber::toy
