// Cells for the neighbor search, and their order. A cell is as wide as the reach of a neighbor
// list, so all neighbors of a particle are in the 27 cells around its own.
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

struct Cell {
    int x = 0;
    int y = 0;
    int z = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};

// The axis across which a board of particles could be cut: cells that differ in it are farthest
// apart in the order (Rustico 2012, section 8.2, Listing 8.1).
enum class Principal { x, y, z };

CAMBER_HD inline int along(Principal axis, const Cell& cell) {
    return axis == Principal::x ? cell.x : axis == Principal::y ? cell.y : cell.z;
}

CAMBER_HD inline int hash(Principal principal, const Cell& size, const Cell& cell) {
    switch (principal) {
        case Principal::x:
            return (cell.x * size.y + cell.y) * size.z + cell.z;
        case Principal::y:
            return (cell.y * size.z + cell.z) * size.x + cell.x;
        case Principal::z:
            break;
    }
    return (cell.z * size.y + cell.y) * size.x + cell.x;
}

template <class R>
struct CellGrid {
    Cell size;
    R inverse_side = 0;  // 1/m

    CAMBER_HD int count() const { return size.x * size.y * size.z; }

    // Particles outside are taken for ones in the outermost cells: two within reach of each other
    // are still in neighboring ones.
    CAMBER_HD Cell cell_of(R x, R y, R z) const {
        return {index(x, size.x), index(y, size.y), index(z, size.z)};
    }
    // Water is distributed most evenly along y, and rows of cells along x are contiguous.
    CAMBER_HD int hash_of(const Cell& cell) const { return hash(Principal::y, size, cell); }

  private:
    CAMBER_HD int index(R position, int cells) const {
        const R scaled = position * inverse_side;
        if (!(scaled > R(0))) return 0;
        if (!(scaled < R(cells))) return cells - 1;
        const int i = static_cast<int>(scaled);
        return i < cells ? i : cells - 1;
    }
};

// Throws Error(unavailable) where there would be more cells than 31 bits count.
template <class R>
CellGrid<R> cell_grid(const Settings& settings);

// Calls f(exists, hash) for the 27 cells around `cell` in ascending order; those beyond the grid do
// not exist.
CAMBER_EXEC_CHECK_DISABLE
template <class R, class F>
CAMBER_HD void for_cells_around(const CellGrid<R>& grid, const Cell& cell, const F& f) {
    for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell other{cell.x + dx, cell.y + dy, cell.z + dz};
                const bool exists = other.x >= 0 && other.x < grid.size.x && other.y >= 0 &&
                                    other.y < grid.size.y && other.z >= 0 && other.z < grid.size.z;
                f(exists, exists ? grid.hash_of(other) : 0);
            }
}

}  // namespace camber::sph
