// The toy workload's two steps in the halo technique, with one shape.
#pragma once

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "variants/techniques/constant_stage.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::toy {

// Plans with one buffer of cells, which an earlier step of the generation reads.
inline std::vector<StepPlan> toy_plans() {
    std::vector<StepPlan> plans;
    for (const auto& choices :
         {step_choices<Spread, TechniqueList<Halo>>(), step_choices<Blend, TechniqueList<Halo>>()})
        for (const StepPlan& plan : choices)
            if (plan.name() == "halo/16x16/unaligned") plans.push_back(plan);
    return plans;
}

// The same steps in the technique and shape named `path`. A generation reads three cells beyond its
// own.
inline std::vector<StepPlan> spread_and_blend(const std::string& path) {
    using Some = TechniqueList<Halo, SharedTile, RowStream>;
    std::vector<StepPlan> plans;
    for (const auto& choices : {step_choices<Spread, Some>(), step_choices<Blend, Some>()})
        for (const StepPlan& plan : choices)
            if (plan.name() == path) plans.push_back(plan);
    REQUIRE(plans.size() == 2);
    return plans;
}

}  // namespace camber::toy
