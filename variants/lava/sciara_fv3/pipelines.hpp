// Pipelines of SCIARA-fv3 in six plain kernels, with either hand-over of the next state, and the
// choices of kernels for a rule.
#pragma once

#include <vector>

#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/hand_over.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/in_place.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"

// Choices for a rule of SCIARA-fv3.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// Removes the clock, a field with one cell, from the fields that plans share.
template <class Rule, class... Techniques>
std::vector<StepPlan> choices_of() {
    std::vector<StepPlan> choices = step_choices<Rule, TechniqueList<Techniques...>>();
    for (StepPlan& plan : choices)
        std::erase_if(plan.fields,
                      [](const FieldUse& use) { return use.name == sciara_fv3::clock_field; });
    return choices;
}

CAMBER_TARGET_END

// SCIARA-fv3 in six plain kernels: with swapped buffers, and with the hand-over of the thesis, in
// which the exchange writes the next state and cooling works on it in place. Hand-overs are in the
// same source file as the other plain kernels, so that these are compiled once.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R, class Blocks>
StepChoices sciara_fv3_six_kernels() {
    constexpr Trigonometry branching = Trigonometry::branching;
    const auto cooling = choices_of<Cooling<R>, Blocks>();
    return {
        plans_like(cooling, emission_fv3_plan<R>), choices_of<Candidates<R, branching>, Blocks>(),
        plans_like(cooling, clock_plan<R>),        choices_of<Outflow<R, branching>, Blocks>(),
        choices_of<Exchange<R>, Blocks>(),         cooling};
}

template <class R>
void add_sciara_fv3_pipelines(Registry& registry, const char* name, const StepChoices& steps) {
    add_pipelines(registry, "sciara_fv3", element_of<R>(), target_backend, name, steps);
}

template <class R>
void add_sciara_fv3_hand_overs(Registry& registry) {
    constexpr const char* thesis = "thesis on SCIARA-fv3";
    StepChoices steps = sciara_fv3_six_kernels<R, PlainBlocks>();
    steps.back() = plans_like(steps.back(), in_place<Cooling<R>>);
    add_sciara_fv3_pipelines<R>(
        registry, "",
        renamed(steps,
                {"swap_hand_over", "as copy_hand_over, by exchanging pointers in place of copies",
                 thesis, Family::global_memory}));
    steps.back() = plans_like(steps.back(), [](const StepPlan& plan) {
        return copied_after(
            plan, {thickness_field, temperature_field, momentum_x_field, momentum_y_field},
            Results::current);
    });
    add_sciara_fv3_pipelines<R>(
        registry, "",
        renamed(steps,
                {"copy_hand_over", "cooling in place, then the state copied over the one before",
                 thesis, Family::global_memory}));
}

CAMBER_TARGET_END
