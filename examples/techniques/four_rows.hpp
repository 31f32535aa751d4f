// four_rows: as halo, a thread computes four cells that lie below one another. The rows between are
// read several times by one thread, soon after each other, so that the L1 cache still has them.
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule>
__global__ void four_rows_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int first_row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (column >= views.columns) return;
#pragma unroll
    for (int row = first_row; row < first_row + 4; ++row) {
        if (row >= views.rows) return;
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return views.input(tag)(row + drow, column + dcol, site);
        };
        store(views, row, column, apply(views, read));
    }
}

struct FourRows {
    static constexpr TechniqueInfo info{"four_rows", "as halo, four cells of a column per thread",
                                        "thread coarsening, as in Volkov 2010",
                                        Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{32, 8}, Region{64, 4}})
            catalogue.add(info, {.shape = {.block = block,
                                           .region = {block.columns, 4 * block.rows},
                                           .halo = Rule::Inputs::radius,
                                           .alignment = 128,
                                           .elements_per_thread = 4},
                                 .kernel = {four_rows_kernel<Rule>}});
    }
};

CAMBER_TARGET_END
