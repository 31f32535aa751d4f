// The choices of a rule of SCIARA-fv3.
#pragma once

#include <vector>

#include "variants/stencil/plans.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv3/state.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// The clock, one cell for the board, is none of the fields that plans share.
template <class Rule, class... Techniques>
std::vector<StepPlan> choices_of() {
    std::vector<StepPlan> choices = step_choices<Rule, TechniqueList<Techniques...>>();
    for (StepPlan& plan : choices)
        std::erase_if(plan.fields,
                      [](const FieldUse& use) { return use.name == sciara_fv3::clock_field; });
    return choices;
}

CAMBER_TARGET_END
