// fused_minimum: like halo, but each block lowers the step's length to the minimum of its cells
// before it ends; no longest steps in memory, and no separate minimum kernel.
#pragma once

#include "variants/lava/magflow/flux_stage.hpp"

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
