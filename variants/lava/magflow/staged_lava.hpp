// Flux kernels of MAGFLOW that stage a block's cells and their halo in shared memory: half_stencil
// computes each pair of neighbors once, tile_gather computes it twice.
#pragma once

#include "variants/lava/magflow/flux_stage.hpp"
#include "variants/stencil/views.hpp"
#include "workloads/core/arithmetic.hpp"

// Ground, thickness and temperature of a block's cells and their halo in dynamic shared memory.
// Threads load their own cells; threads at the block's edge also load the adjacent halo cells, and
// those at its corners the corners (Bilotta et al. 2011, section 6.5).
CAMBER_WORKLOAD_BEGIN(magflow)

template <class R>
class StagedLava {
  public:
    // Uses the beginning of the dynamic shared memory, for a block of width x height threads.
    CAMBER_DEVICE StagedLava(int width, int height)
        : pitch_(width + 2),
          ground_(cells(width, height)),
          thickness_(cells(width, height), cells(width, height) * static_cast<int>(sizeof(R))),
          temperature_(cells(width, height),
                       2 * cells(width, height) * static_cast<int>(sizeof(R))) {}

    // Bytes of shared memory.
    CAMBER_HD static constexpr int bytes(int width, int height) {
        return 3 * cells(width, height) * static_cast<int>(sizeof(R));
    }

    // Loads the cell of thread (y, x) and its share of the halo, for a block whose part of the
    // board is `rows` x `columns`. `at` reads fields relative to the block's first cell.
    template <class Rule, class At>
    CAMBER_DEVICE void load(const At& at, int y, int x, int rows, int columns,
                            Site site = Site::current()) {
        const CallPath path(site);
        const bool left = x == 0, right = x == columns - 1, upper = y == 0, lower = y == rows - 1;
        load_cell<Rule>(at, y, x);
        if (left) load_cell<Rule>(at, y, x - 1);
        if (right) load_cell<Rule>(at, y, x + 1);
        if (upper) load_cell<Rule>(at, y - 1, x);
        if (lower) load_cell<Rule>(at, y + 1, x);
        if (left && upper) load_cell<Rule>(at, y - 1, x - 1);
        if (right && upper) load_cell<Rule>(at, y - 1, x + 1);
        if (left && lower) load_cell<Rule>(at, y + 1, x - 1);
        if (right && lower) load_cell<Rule>(at, y + 1, x + 1);
    }

    // Cell of the block or its halo; rows and columns count from -1.
    CAMBER_DEVICE magflow::Lava<R> operator()(int r, int c, Site site = Site::current()) const {
        const CallPath path(site);
        const int i = index(r, c);
        const R g = ground_(i);
        const R h = thickness_(i);
        const R t = temperature_(i);
        return {g, h, t};
    }

  private:
    CAMBER_HD static constexpr int cells(int width, int height) {
        return (width + 2) * (height + 2);
    }
    CAMBER_DEVICE int index(int r, int c) const { return (r + 1) * pitch_ + c + 1; }

    template <class Rule, class At>
    CAMBER_DEVICE void load_cell(const At& at, int r, int c, Site site = Site::current()) {
        const CallPath path(site);
        const magflow::Lava<R> lava = Rule::lava(at, c, r);
        const int i = index(r, c);
        ground_(i) = lava.ground;
        thickness_(i) = lava.thickness;
        temperature_(i) = lava.temperature;
    }

    int pitch_;
    DynamicShared<R> ground_, thickness_, temperature_;
};

// Part of the board that a block computes and reads, relative to its first cell. Threads beyond the
// board only take part in barriers.
struct BlockOfBoard {
    int first_row, first_column;
    int rows, columns;
    int y, x;  // the thread's cell

    template <class Rule>
    CAMBER_DEVICE explicit BlockOfBoard(const Views<Rule>& views)
        : first_row(blockIdx.y * blockDim.y),
          first_column(blockIdx.x * blockDim.x),
          rows(smaller<int>(blockDim.y, views.rows - first_row)),
          columns(smaller<int>(blockDim.x, views.columns - first_column)),
          y(threadIdx.y),
          x(threadIdx.x) {}

    CAMBER_DEVICE bool works() const { return y < rows && x < columns; }
    CAMBER_DEVICE bool inside(int r, int c) const {
        return r >= 0 && r < rows && c >= 0 && c < columns;
    }
};

CAMBER_TARGET_END

// half_stencil: every pair of neighbors is computed once. A block stages its cells and their halo
// in shared memory. In each of four phases, a thread computes the pair of its cell and one
// neighbor, adds it to its own cell and, after a barrier, to the neighbor's. Pairs across the
// boundary of two blocks are computed by both. The order of each cell's additions is that of the
// gathering kernels, so the bits are equal. Bilotta et al. 2011, section 6.5.
CAMBER_WORKLOAD_BEGIN(magflow)

// Sums of a block's cells in shared memory.
template <class R, bool compensated>
struct SharedTotals {
    DynamicShared<R> volume, heat, outflow;
    DynamicShared<R> lost_volume, lost_heat;  // empty unless sums are compensated

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
    const auto phase = [&]<int k>(Neighbour<k>, Site site) {
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
            // No thread of the block computes the pair with the opposite neighbor, so this thread
            // does.
            if (!block.inside(y - drow, x - dcol))
                totals.add(own,
                           exchange(self, lava(y - drow, x - dcol), distance, views.parameters),
                           views.parameters);
        }
        __syncthreads();
    };
    phase(Neighbour<0>{}, Site::current());
    phase(Neighbour<2>{}, Site::current());
    phase(Neighbour<4>{}, Site::current());
    phase(Neighbour<6>{}, Site::current());

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

    // Bytes of shared memory: three staged quantities, and three sums per cell, or five if they are
    // compensated.
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

// tile_gather: cells are staged as in half_stencil, but every cell computes all its pairs, which
// shows the effect of staging without half of the arithmetic. shared_tile stages ground and solid
// lava separately and adds them for every neighbor.
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
        const auto cell = [&](int dcol, int drow, Site site) {
            return lava(block.y + drow, block.x + dcol, site);
        };
        const auto own = [&]<class Tag>(Tag tag, int, int, Site site) {
            return views.input(tag)(block.first_row + block.y, block.first_column + block.x, site);
        };
        result = Rule::gathered(CellReader(cell),
                                Rule::emission(Neighbourhood<Rule, decltype(own)>(own)),
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
