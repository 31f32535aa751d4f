// tile_gather: cells staged like in half_stencil, but every cell computes all its pairs: the effect
// of staging without half of the arithmetic. shared_tile stages ground and solid lava separately
// and adds them for every neighbor.
#pragma once

#include "variants/lava/magflow/staged_lava.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

template <class Rule>
__global__ void tile_gather_kernel(const Views<Rule> views,
                                   const Grid<Word<typename FluxTraits<Rule>::Real>> dt) {
    using R = typename FluxTraits<Rule>::Real;
    const BlockOfBoard block(views);
    StagedLava<R> lava(blockDim.x, blockDim.y);
    const auto global = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(block.first_row + drow, block.first_column + dcol, site);
    };
    if (block.works())
        lava.template load<Rule>(Neighbourhood<Rule, decltype(global)>(global), block.y, block.x,
                                 block.rows, block.columns);
    __syncthreads();

    Values<R, R, R> result{0, {0, {views.parameters.longest_step, {}}}};
    if (block.works()) {
        const auto cell = [&](int dcol, int drow, Site site = Site::current()) {
            return lava(block.y + drow, block.x + dcol, site);
        };
        const auto own = [&]<class Tag>(Tag tag, int, int, Site site) {
            return views.input(tag)(block.first_row + block.y, block.first_column + block.x, site);
        };
        result = Rule::gathered(cell, Rule::emission(Neighbourhood<Rule, decltype(own)>(own)),
                                views.parameters);
    }
    store_flux(views, block.works(), block.first_row + block.y, block.first_column + block.x,
               result, dt);
}

struct TileGather {
    static constexpr TechniqueInfo info{
        "tile_gather", "cells staged in shared memory as by half_stencil, all pairs computed",
        "after Bilotta et al. 2011, section 6.5", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        using R = typename FluxTraits<Rule>::Real;
        for (const Region block : {Region{64, 3}, Region{64, 4}, Region{16, 16}})
            add_flux(catalogue, info, block, tile_gather_kernel<Rule>,
                     StagedLava<R>::bytes(block.columns, block.rows));
    }
};

CAMBER_TARGET_END
