// Building blocks of multi-step pipelines.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// Under another name than that of the technique that makes the stages.
inline StepChoices renamed(StepChoices steps, const TechniqueInfo& info) {
    for (std::vector<StepPlan>& step : steps)
        for (StepPlan& plan : step) plan.technique = info;
    return steps;
}

// Stage factory: makes an OwnStage from the context and these arguments.
template <class OwnStage, class... Arguments>
auto makes(Arguments... arguments) {
    return [=](const StageContext& context) -> std::unique_ptr<Stage> {
        return std::make_unique<OwnStage>(context, arguments...);
    };
}

// A field as a step has it that reads it.
inline FieldUse reads(std::string field, ElementType element) {
    return {.name = std::move(field), .element = element, .read = true};
}

// A step without a stage yet that works cell by cell, each for itself, where the others have the
// plan `like`.
inline StepPlan own_cell_plan(const StepPlan& like, std::string step,
                              std::vector<FieldUse> fields) {
    StepPlan plan = like;
    plan.step = std::move(step);
    plan.shape.region = plan.shape.block;
    plan.shape.shared_bytes = 0;
    plan.fields = std::move(fields);
    plan.sharing = {};
    plan.across.reset();
    return plan;
}

// make(plan) for each.
template <class Make>
std::vector<StepPlan> plans_like(const std::vector<StepPlan>& like, const Make& make) {
    std::vector<StepPlan> plans;
    for (const StepPlan& plan : like) plans.push_back(make(plan));
    return plans;
}

CAMBER_TARGET_END
