// What pipelines of several steps are put together with.
#pragma once

#include <vector>

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// Under another name than that of the technique that makes the stages.
inline StepChoices renamed(StepChoices steps, const TechniqueInfo& info) {
    for (std::vector<StepPlan>& step : steps)
        for (StepPlan& plan : step) {
            plan.technique = info.name;
            plan.summary = info.summary;
            plan.source = info.source;
        }
    return steps;
}

// make(plan) for each.
template <class Make>
std::vector<StepPlan> plans_like(const std::vector<StepPlan>& like, const Make& make) {
    std::vector<StepPlan> plans;
    for (const StepPlan& plan : like) plans.push_back(make(plan));
    return plans;
}

CAMBER_TARGET_END
