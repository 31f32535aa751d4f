// half_stencil: every pair of neighbors is computed once. A block stages its cells and their halo
// in shared memory; in four phases each thread computes the pair with one neighbor, keeps it, adds
// it to its own cell and, after a barrier, to the neighbor's. Both blocks compute pairs across
// their boundary. The order of each cell's additions is that of the gathering kernels, so the bits
// are equal, too. Bilotta et al. 2011, section 6.5.
#pragma once

#include "variants/lava/magflow/staged_lava.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Sums of a block's cells in shared memory.
template <class R, bool compensated>
struct SharedTotals {
    DynamicShared<R> volume, heat, outflow;
    DynamicShared<R> lost_volume, lost_heat;  // of no size where sums are not compensated

    CAMBER_DEVICE SharedTotals(int cells, int offset)
        : volume(cells, offset),
          heat(cells, offset + bytes(cells)),
          outflow(cells, offset + 2 * bytes(cells)),
          lost_volume(carried(cells), offset + 3 * bytes(carried(cells))),
          lost_heat(carried(cells), offset + 4 * bytes(carried(cells))) {}

    CAMBER_DEVICE void start(int i, const magflow::CellFlux<R, compensated>& sum,
                             Site site = Site::current()) {
        const CallPath path(site);
        put(i, sum);
    }
    CAMBER_DEVICE void add(int i, const magflow::Exchange<R>& exchange,
                           const magflow::FlowParameters<R>& parameters,
                           Site site = Site::current()) {
        const CallPath path(site);
        magflow::CellFlux<R, compensated> sum(0, parameters);
        sum.volume.value = volume(i);
        sum.heat.value = heat(i);
        sum.outflow = outflow(i);
        if constexpr (compensated) {
            sum.volume.lost = lost_volume(i);
            sum.heat.lost = lost_heat(i);
        }
        sum.add(exchange);
        put(i, sum);
    }

  private:
    CAMBER_DEVICE static int bytes(int cells) { return cells * static_cast<int>(sizeof(R)); }
    CAMBER_DEVICE static int carried(int cells) { return compensated ? cells : 0; }
    CAMBER_DEVICE void put(int i, const magflow::CellFlux<R, compensated>& sum) {
        volume(i) = sum.volume.value;
        heat(i) = sum.heat.value;
        outflow(i) = sum.outflow;
        if constexpr (compensated) {
            lost_volume(i) = sum.volume.lost;
            lost_heat(i) = sum.heat.lost;
        }
    }
};

template <class Rule>
__global__ void half_stencil_kernel(const Views<Rule> views,
                                    const Grid<Word<typename FluxTraits<Rule>::Real>> dt) {
    using R = typename FluxTraits<Rule>::Real;
    constexpr bool compensated = FluxTraits<Rule>::compensated;
    const BlockOfBoard block(views);
    const int width = blockDim.x;
    StagedLava<R> lava(width, blockDim.y);
    SharedTotals<R, compensated> totals(blockDim.x * blockDim.y,
                                        StagedLava<R>::bytes(width, blockDim.y));
    const int x = block.x, y = block.y;
    const bool works = block.works();

    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(block.first_row + drow, block.first_column + dcol, site);
    };
    if (works)
        lava.template load<Rule>(Neighbourhood<Rule, decltype(read)>(read), y, x, block.rows,
                                 block.columns);
    __syncthreads();

    const int own = y * width + x;
    Lava<R> self{};
    if (works) {
        self = lava(y, x);
        const auto emission = [&]<class Tag>(Tag tag, int, int, Site site) {
            return views.input(tag)(block.first_row + y, block.first_column + x, site);
        };
        totals.start(own, CellFlux<R, compensated>(
                              Rule::emission(Neighbourhood<Rule, decltype(emission)>(emission)),
                              views.parameters));
    }
    const auto phase = [&]<int k>(Neighbour<k>, Site site = Site::current()) {
        const CallPath path(site);
        constexpr int drow = row_offset(k), dcol = column_offset(k);
        const R distance = views.parameters.distance[is_diagonal(k)];
        Exchange<R> shared{};
        if (works) {
            shared = exchange(self, lava(y + drow, x + dcol), distance, views.parameters);
            totals.add(own, shared, views.parameters);
        }
        __syncthreads();
        if (works) {
            if (block.inside(y + drow, x + dcol))
                totals.add((y + drow) * width + x + dcol, shared.reversed(), views.parameters);
            // Nobody in the block computes the pair with the cell on the other side.
            if (!block.inside(y - drow, x - dcol))
                totals.add(own,
                           exchange(self, lava(y - drow, x - dcol), distance, views.parameters),
                           views.parameters);
        }
        __syncthreads();
    };
    phase(Neighbour<0>{});
    phase(Neighbour<2>{});
    phase(Neighbour<4>{});
    phase(Neighbour<6>{});

    Values<R, R, R> result{0, {0, {views.parameters.longest_step, {}}}};
    if (works) {
        const R volume = totals.volume(own);
        const R heat = totals.heat(own);
        const R outflow = totals.outflow(own);
        result = {volume, {heat, {step_limit(self.thickness, outflow, views.parameters), {}}}};
    }
    store_flux(views, works, block.first_row + y, block.first_column + x, result, dt);
}

struct HalfStencil {
    static constexpr TechniqueInfo info{
        "half_stencil", "cells staged in shared memory, every pair of a block computed once",
        "Bilotta et al. 2011, section 6.5", Family::shared_memory};

    // Bytes of shared memory: three staged quantities, and three sums a cell, or five where they
    // are compensated.
    template <class R>
    static std::size_t bytes(Region block, bool compensated) {
        const std::size_t cells = static_cast<std::size_t>(block.columns) * block.rows;
        return StagedLava<R>::bytes(block.columns, block.rows) +
               sizeof(R) * (compensated ? 5 : 3) * cells;
    }

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        using Traits = FluxTraits<Rule>;
        for (const Region block :
             {Region{64, 1}, Region{8, 8}, Region{64, 3}, Region{64, 4}, Region{16, 16}})
            add_flux(catalogue, info, block, half_stencil_kernel<Rule>,
                     bytes<typename Traits::Real>(block, Traits::compensated));
    }
};

CAMBER_TARGET_END
