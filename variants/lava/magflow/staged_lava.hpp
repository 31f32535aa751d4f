// Ground, thickness and temperature of a block's cells and their halo in dynamic shared memory.
// Threads load their own cells; threads at the block's edge also load the halo beyond it, threads
// at its corners the corners (Bilotta et al. 2011, section 6.5).
#pragma once

#include "variants/lava/magflow/flux_stage.hpp"
#include "workloads/core/arithmetic.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

template <class R>
class StagedLava {
  public:
    // For a block of this many threads, at the beginning of the shared memory.
    CAMBER_DEVICE StagedLava(int width, int height)
        : pitch_(width + 2),
          ground_(cells(width, height)),
          thickness_(cells(width, height), cells(width, height) * static_cast<int>(sizeof(R))),
          temperature_(cells(width, height),
                       2 * cells(width, height) * static_cast<int>(sizeof(R))) {}

    // Bytes taken.
    CAMBER_HD static constexpr int bytes(int width, int height) {
        return 3 * cells(width, height) * static_cast<int>(sizeof(R));
    }

    // Loads the cell of thread (y, x) of a block whose part of the board is `rows` x `columns`, and
    // its share of the halo. `at` reads fields relative to the block's first cell.
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

    // A cell of the block or its ring, whose rows and columns count from -1.
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
// board only wait at barriers.
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
