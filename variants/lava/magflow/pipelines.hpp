// MAGFLOW in four kernels, Erupt, CalcFlux, the minimum of all steps and Update, and in three, with
// the minimum found by CalcFlux. No contraction of products and sums: every variant equals the
// reference bit by bit, on the device too.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "variants/lava/magflow/blocks.hpp"
#include "variants/lava/magflow/erupt.hpp"
#include "variants/lava/magflow/fused_minimum.hpp"
#include "variants/lava/magflow/half_stencil.hpp"
#include "variants/lava/magflow/minimum.hpp"
#include "variants/lava/magflow/register_cap.hpp"
#include "variants/lava/magflow/update.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// The choices for CalcFlux; the parameter `kahan` chooses between sums that carry what rounding
// lost and plain ones.
template <class R, bool keeps_limit, class Techniques>
std::vector<StepPlan> flux_choices() {
    auto choices = step_choices<magflow::Flux<R, true, keeps_limit>, Techniques>();
    const auto plain = step_choices<magflow::Flux<R, false, keeps_limit>, Techniques>();
    const auto either = [](const StageMaker& with, const StageMaker& without) {
        StageMaker make = [with, without](const StageContext& context) {
            return magflow::compensated(context.problem.parameters) ? with(context)
                                                                    : without(context);
        };
        return with.reach() ? StageMaker(std::move(make), *with.reach()) : make;
    };
    for (std::size_t i = 0; i < choices.size(); ++i) {
        choices[i].make = either(choices[i].make, plain[i].make);
        if (choices[i].across) choices[i].across = either(*choices[i].across, *plain[i].across);
        // Devices exchange the fluxes during CalcFlux, and each updates its copy of the neighbor's
        // row itself (Rustico 2012, section 6.2).
        choices[i].sharing.sent = {"volume_flux", "heat_flux"};
        if (!keeps_limit) choices[i].sharing.least = "dt";
        // Only cells with a vent read it.
        for (FieldUse& use : choices[i].fields)
            if (use.name == std::string_view("emission")) use.read = false;
    }
    return choices;
}

template <class R, class Techniques>
void add_magflow(Registry& registry) {
    constexpr ElementType cell = element_of<R>();
    const auto flux = flux_choices<R, true, Techniques>();
    const StepChoices steps{plans_like(flux, erupt_plan<R>), flux,
                            plans_like(flux, minimum_plan<R>), plans_like(flux, update_plan<R>)};
    add_pipelines(registry, "magflow", cell, target_backend, "four_kernels", steps);
    add_composer(registry, "magflow", cell, target_backend, steps);
    const auto fused = flux_choices<R, false, TechniqueList<FusedMinimum, HalfStencil>>();
    add_pipelines(registry, "magflow", cell, target_backend, "three_kernels",
                  {plans_like(fused, erupt_plan<R>), fused, plans_like(fused, update_plan<R>)});
}

template <class... More>
using MagflowTechniques =
    TechniqueList<Global, Halo, MagflowBlocks, SharedTile, FirstRows, ReadOnly, Constant, CarveOuts,
                  RegisterCap, HalfStencil, More...>;

CAMBER_TARGET_END
