// Pipelines of MAGFLOW in four kernels, Erupt, CalcFlux, minimum and Update, and in three kernels,
// in which CalcFlux finds the minimum, with the block shapes and register limits of the source.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "variants/lava/magflow/erupt.hpp"
#include "variants/lava/magflow/flux_slide.hpp"
#include "variants/lava/magflow/flux_stage.hpp"
#include "variants/lava/magflow/minimum.hpp"
#include "variants/lava/magflow/staged_lava.hpp"
#include "variants/lava/magflow/update.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/techniques.hpp"

// Blocks that the authors of MAGFLOW compare, with the plain kernel and both cache preferences.
// Bilotta et al. 2011, sections 6.3 and 6.6, Tables 5 to 7, whose blocks are given as rows x
// columns.
CAMBER_WORKLOAD_BEGIN(magflow)

struct MagflowBlocks {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 1}, Region{8, 8}, Region{1, 64}, Region{128, 1},
                                   Region{192, 1}, Region{64, 2}, Region{64, 3}})
            catalogue.add(Halo::info, Halo::variant<Rule>(block, 128));
        for (const Region block : {Region{64, 1}, Region{64, 2}, Region{64, 3}})
            for (const CarveOut wish : CarveOutWish::both)
                CarveOutWish::add(catalogue, wish, Halo::info, Halo::variant<Rule>(block, 128));
    }
};

CAMBER_TARGET_END

// register_cap: like halo, with a launch bound that limits a thread to 32 registers. On a GTX 280,
// reducing MAGFLOW's flux kernel from 33 to 32 registers allowed another resident block and gained
// 5 %; on a 9500 GT it gained nothing. Bilotta et al. 2011, section 6.1.
CAMBER_WORKLOAD_BEGIN(magflow)

// 8 blocks of 256 threads share 65536 registers, 32 each.
template <class Rule>
__global__ void __launch_bounds__(256, 8) register_cap_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

struct RegisterCap {
    static constexpr TechniqueInfo info{"register_cap", "as halo, with 32 registers per thread",
                                        "Bilotta et al. 2011, section 6.1", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 1}, Region{64, 4}})
            catalogue.add(
                info, {.shape = {.block = block, .halo = Rule::Inputs::radius, .alignment = 128},
                       .kernel = {register_cap_kernel<Rule>}});
    }
};

CAMBER_TARGET_END

// fused_minimum: like halo, but each block lowers the step length to the minimum of its cells
// before it ends. The longest steps are not stored in memory, and there is no separate minimum
// kernel.
CAMBER_WORKLOAD_BEGIN(magflow)

template <class Rule>
__global__ void fused_minimum_kernel(const Views<Rule> views,
                                     const Grid<Word<typename FluxTraits<Rule>::Real>> dt) {
    using R = typename FluxTraits<Rule>::Real;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool works = row < views.rows && column < views.columns;
    Values<R, R, R> result{0, {0, {views.parameters.longest_step, {}}}};
    if (works) {
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return views.input(tag)(row + drow, column + dcol, site);
        };
        result = apply(views, read);
    }
    store_flux(views, works, row, column, result, dt);
}

struct FusedMinimum {
    static constexpr TechniqueInfo info{
        "fused_minimum", "as halo, the shortest step found by the flux kernel's blocks",
        "after Bilotta et al. 2011, whose minimum is a kernel of its own", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 1}, Region{128, 1}, Region{64, 2}, Region{64, 3},
                                   Region{64, 4}, Region{8, 8}, Region{16, 16}})
            add_flux(catalogue, info, block, fused_minimum_kernel<Rule>);
    }
};

CAMBER_TARGET_END

// Pipelines. Compiled without contraction of products and sums: every variant equals the reference
// bit by bit, on the device too.
CAMBER_WORKLOAD_BEGIN(magflow)

// Choices for CalcFlux. The parameter `kahan` selects compensated or plain sums.
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
        // Only cells with a vent read the emission.
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
    const auto fused =
        flux_choices<R, false, TechniqueList<FusedMinimum, HalfStencil, FluxSlide>>();
    add_pipelines(registry, "magflow", cell, target_backend, "three_kernels",
                  {plans_like(fused, erupt_plan<R>), fused, plans_like(fused, update_plan<R>)});
}

template <class... More>
using MagflowTechniques =
    TechniqueList<Global, Halo, MagflowBlocks, SharedTile, FirstRows, ReadOnly, Constant, CarveOuts,
                  RegisterCap, HalfStencil, More...>;

CAMBER_TARGET_END
