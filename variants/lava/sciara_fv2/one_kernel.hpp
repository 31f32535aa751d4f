// one_kernel: a whole step, or a few steps, in a single launch, for boards that fit in caches and
// whose kernels are shorter than launches.
//
// Lava covers a small part of the board, so a launch processes a list of tiles: those with lava,
// and those that lava may reach in the launch. In all other tiles both buffers are equal. Tiles
// stay on the list, and a launch changes it only if lava reaches new ground: adding a tile takes
// three dependent accesses, for which every launch would wait at its end. Periodically, a launch
// rebuilds the list and drops tiles that lava has left.
#pragma once

#include <cstdint>

#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/kernel/vocabulary.hpp"
#include "variants/lava/sciara_fv2/lava_tile.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Lists of tiles of a launch and of the next one.
struct TileList {
    static constexpr int renewal = 128;  // number of launches between two rebuilds of the list
    // Each count is stored three times: for this launch, for the next, and one that is being reset.
    static constexpr int turns = 3;
    static constexpr int counts_of_a_list = 3;

    Grid<const std::int32_t> tiles;  // one row: tile numbers, row by row of the board
    Grid<std::int32_t> next_tiles;
    Grid<const std::uint32_t> marks;  // one cell per tile: number of the last list with it
    Grid<std::uint32_t> next_marks;
    Grid<std::int32_t> counts;
    int launch;                    // since the board was filled, from 0
    int rows, columns;             // of tiles
    int awake_above, awake_below;  // rows of tiles that lava of other devices may reach
    bool all;                      // all tiles are written, whether listed or not

    // The first launch has no list and computes all tiles.
    CAMBER_DEVICE bool is_first() const { return launch == 0; }
    CAMBER_DEVICE bool renews() const { return launch % renewal == 0; }
    // True if lava of another device may reach tiles of this row.
    CAMBER_DEVICE bool is_always_awake(int row) const {
        return row < awake_above || row >= rows - awake_below;
    }

    // Indices in `counts`, for this launch or a later one: number of the list; length of the list
    // before a launch; number of tiles that the launch added.
    CAMBER_DEVICE int number(int later) const { return at(0, later); }
    CAMBER_DEVICE int kept(int later) const { return at(1, later); }
    CAMBER_DEVICE int added(int later) const { return at(2, later); }

  private:
    CAMBER_DEVICE int at(int count, int later) const {
        return count * turns + (launch + later) % turns;
    }
};

// Current list as a launch reads it, and the next one that it produces.
class TurningList {
  public:
    CAMBER_DEVICE explicit TurningList(const TileList& list)
        : list_(list),
          number_(static_cast<std::uint32_t>(int(list.counts(0, list.number(0))))),
          count_(list.counts(0, list.kept(0)) + list.counts(0, list.added(0))),
          next_number_(list.renews() ? number_ + 1 : number_),
          kept_(list.renews() ? 0 : count_) {}

    CAMBER_DEVICE int count() const { return count_; }
    // Called by one thread: sets the counts for the next launches.
    CAMBER_DEVICE void turn() const {
        list_.counts(0, list_.number(1)) = static_cast<std::int32_t>(next_number_);
        list_.counts(0, list_.kept(1)) = kept_;
        list_.counts(0, list_.added(2)) = 0;
    }
    // True if a tile with this mark must be added when lava reaches it.
    CAMBER_DEVICE bool lacks(std::uint32_t mark) const { return mark != next_number_; }
    CAMBER_DEVICE bool has(std::uint32_t mark) const { return mark == number_ && number_ != 0; }
    // Called by one thread: the tile keeps its index in the list, and its mark.
    CAMBER_DEVICE void keep_place(int place, int tile) const {
        if (!list_.renews() && place < count_) list_.next_tiles(0, place) = tile;
    }
    CAMBER_DEVICE void keep_mark(int row, int column) const {
        if (!list_.renews()) list_.next_marks(row, column) = next_number_;
    }
    CAMBER_DEVICE void add(int row, int column, Site site = Site::current()) const {
        const CallPath path(site);
        if (atomicExch(&list_.next_marks(row, column), next_number_) == next_number_) return;
        const int place = kept_ + atomicAdd(&list_.counts(0, list_.added(1)), 1);
        list_.next_tiles(0, place) = row * list_.columns + column;
    }

  private:
    const TileList& list_;
    std::uint32_t number_;
    int count_;
    std::uint32_t next_number_;
    int kept_;  // tiles that keep their index in the next list
};

// A tile adjacent to the block's tile, or the tile itself: one lane for each of the nine tiles that
// lava may reach.
struct TileBeside {
    static constexpr int own = 4;  // lane

    int down, right;
    bool exists;

    CAMBER_DEVICE explicit TileBeside(int lane)
        : down(lane / 3 - 1), right(lane % 3 - 1), exists(lane < 9) {}
    CAMBER_DEVICE bool is_reached(bool up, bool down_there, bool left, bool right_there) const {
        const bool vertically = down == 0 || (down < 0 ? up : down_there);
        const bool horizontally = right == 0 || (right < 0 ? left : right_there);
        return vertically && horizontally;
    }
};

// Distributes the list's tiles over the blocks of a grid, at most one block per tile. `Block` is a
// LavaTile, whose rows have BX threads.
template <class Block, int BX, class Physics, class Vents>
CAMBER_DEVICE void work_on(const TileList& list, const LavaBoard<Physics>& board,
                           const Vents& vents, typename Block::Shared& shared) {
    constexpr unsigned all_lanes = 0xffffffffu;
    const int thread = threadIdx.y * BX + threadIdx.x;
    const TileBeside beside(thread % 32);
    // All loads are issued before the first wait.
    int listed = list.tiles(0, blockIdx.x);
    const TurningList turning(list);
    if (blockIdx.x == 0 && thread == 0) turning.turn();
    const int end = list.all ? list.rows * list.columns : turning.count();
    for (int i = blockIdx.x; i < end;) {
        const int tile = list.all ? i : listed;
        const int row = tile / list.columns;
        const int column = tile % list.columns;
        const int row_beside = row + beside.down;
        const int column_beside = column + beside.right;
        const bool exists = beside.exists && row_beside >= 0 && row_beside < list.rows &&
                            column_beside >= 0 && column_beside < list.columns;
        const std::uint32_t mark =
            load_if(exists, list.marks, row_beside, column_beside, std::uint32_t{0});
        const bool is_listed =
            !list.all || turning.has(__shfl_sync(all_lanes, mark, TileBeside::own));
        Block cells(board, vents, shared, row, column);
        if (thread == 0) turning.keep_place(i, listed);
        if (thread == 0 && is_listed) turning.keep_mark(row, column);
        const bool stays = cells.near_vent() || list.is_always_awake(row);
        if (is_listed || stays || list.is_first()) {
            cells.compute();
            const Reach reach = cells.reach();
            const bool up = __any_sync(all_lanes, reach.up);
            const bool down = __any_sync(all_lanes, reach.down);
            const bool left = __any_sync(all_lanes, reach.left);
            const bool right = __any_sync(all_lanes, reach.right);
            const bool any = __any_sync(all_lanes, reach.any);
            // Changed cells must still be written to the other buffer.
            const bool changed = list.renews() && __any_sync(all_lanes, cells.has_changed());
            const bool wanted = thread % 32 == TileBeside::own
                                    ? any || changed || stays
                                    : any && beside.is_reached(up, down, left, right);
            if (exists && wanted && turning.lacks(mark)) turning.add(row_beside, column_beside);
        } else {
            cells.copy();
        }
        i += gridDim.x;
        if (i >= end) return;
        __syncthreads();  // all threads have finished with shared memory
        if (!list.all || i < turning.count()) listed = list.tiles(0, i);
    }
}

// The launch bound requires only one block per SM, which is sufficient: without it, nvcc limits two
// steps of ShortLava to 94 registers instead of 117, and they take an eighth longer.
template <int BX, int BY, int Steps, class Physics>
__global__ void __launch_bounds__(BX* BY, 1)
    one_kernel(const LavaBoard<Physics> board, const VentList vents, const TileList list) {
    static_assert(BX * BY % 32 == 0);
    using Block = LavaTile<BX, BY, Steps, Physics>;
    __shared__ typename Block::Shared shared;
    wait_for_launch_ahead();
    work_on<Block, BX>(list, board, vents, shared);
}

CAMBER_TARGET_END
