// one_kernel: all of a step, or of a few steps, in a single launch, for boards that caches hold and
// whose kernels take less time than it takes to launch them.
//
// Lava covers a small part of the board, so a launch works on a list of tiles. A tile that neither
// lava nor a vent can reach is copied once, after which both buffers hold it, and then leaves the
// list. Whoever has lava after a launch lists the tiles that it may reach in the next.
#pragma once

#include <cstdint>

#include "harness/kernel/vocabulary.hpp"
#include "variants/sciara_fv2/lava_tile.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Bits of a tile's mark. A mark that is not 0 belongs to a tile on the list.
inline constexpr std::uint32_t listed_tile = 1;
inline constexpr std::uint32_t awake_tile = 3;  // listed, and lava may come there

// The tiles of a launch and of the next one.
struct TileList {
    Grid<const std::int32_t> tiles;  // a row: numbers of tiles, row by row of the board's
    Grid<std::int32_t> next_tiles;
    Grid<std::uint32_t> marks, next_marks;  // a cell per tile; left 0
    Grid<std::int32_t> counts;              // of tiles on three lists
    int count, next_count, later_count;     // their places in `counts`; the last is left 0
    int rows, columns;                      // of tiles
    int awake_above, awake_below;           // rows of tiles where lava may come from other places
    bool all;                               // every tile, whatever the list says

    // Whether lava may come to the tiles of this row that no launch here has seen.
    CAMBER_DEVICE bool is_always_awake(int row) const {
        return row < awake_above || row >= rows - awake_below;
    }

    // Puts a tile on the next list; what is no tile is left alone.
    CAMBER_DEVICE void mark(int row, int column, std::uint32_t bits,
                            Site site = Site::current()) const {
        const CallPath path(site);
        if (row < 0 || row >= rows || column < 0 || column >= columns) return;
        if (atomicOr(&next_marks(row, column), bits) != 0) return;
        const int place = atomicAdd(&counts(0, next_count), 1);
        next_tiles(0, place) = row * columns + column;
    }
};

// For the next launch: this tile, which is to be copied at least, and, if its cells have lava,
// itself and those beside it awake. Every thread of the block, whose rows have BX threads.
template <int BX>
CAMBER_DEVICE void list_next(const TileList& list, int row, int column, const Reach& reach) {
    constexpr unsigned all = 0xffffffffu;
    if (threadIdx.x == 0 && threadIdx.y == 0) list.mark(row, column, listed_tile);
    if (!__any_sync(all, reach.any)) return;
    const bool up = __any_sync(all, reach.up);
    const bool down = __any_sync(all, reach.down);
    const bool left = __any_sync(all, reach.left);
    const bool right = __any_sync(all, reach.right);
    // A lane for each of the nine tiles.
    const int lane = (threadIdx.y * BX + threadIdx.x) % 32;
    const int down_by = lane / 3 - 1;
    const int right_by = lane % 3 - 1;
    const bool vertically = down_by == 0 || (down_by < 0 ? up : down);
    const bool horizontally = right_by == 0 || (right_by < 0 ? left : right);
    if (lane < 9 && vertically && horizontally)
        list.mark(row + down_by, column + right_by, awake_tile);
}

// The blocks of a grid, at most one per tile, share the list's tiles. `Block`: a LavaTile.
template <class Block, int BX, class Physics, class Vents>
CAMBER_DEVICE void work_on(const TileList& list, const LavaBoard<Physics>& board,
                           const Vents& vents, typename Block::Shared& shared) {
    const bool first = threadIdx.x == 0 && threadIdx.y == 0;
    // Both loads are under way before one is waited for.
    const int listed = list.tiles(0, blockIdx.x);
    const int count = list.all ? list.rows * list.columns : int(list.counts(0, list.count));
    if (blockIdx.x == 0 && first) list.counts(0, list.later_count) = 0;
    int tile = list.all ? static_cast<int>(blockIdx.x) : listed;
    for (int i = blockIdx.x; i < count;) {
        const int row = tile / list.columns;
        const int column = tile % list.columns;
        const std::uint32_t mark = list.marks(row, column);
        Block cells(board, vents, shared, row, column);
        if ((mark & ~listed_tile) != 0 || cells.near_vent() || list.is_always_awake(row)) {
            cells.compute();
            list_next<BX>(list, row, column, cells.reach());
        } else {
            cells.copy();
        }
        __syncthreads();  // all threads have read the mark and are done with shared memory
        if (first) list.marks(row, column) = 0u;
        i += gridDim.x;
        if (i < count) tile = list.all ? i : int(list.tiles(0, i));
    }
}

// As many blocks as are useful.
template <int BX, int BY, int Steps, class Physics>
__global__ void __launch_bounds__(BX* BY)
    one_kernel(const LavaBoard<Physics> board, const VentList vents, const TileList list) {
    static_assert(BX * BY % 32 == 0);
    using Block = LavaTile<BX, BY, Steps, Physics>;
    __shared__ typename Block::Shared shared;
    work_on<Block, BX>(list, board, vents, shared);
}

CAMBER_TARGET_END
