// Number of particles per cell.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/particles/sph/cells.hpp"
#include "workloads/particles/sph/neighbours.hpp"

namespace camber::sph {

// By the cell's hash.
struct CellCounts {
    std::vector<std::int32_t> all;
    std::vector<std::int32_t> fluid;
};

// At the start of a scene.
template <class R>
CellCounts counts_of_cells(const Settings& settings);
// Counts for arbitrary positions.
template <class R>
CellCounts counts_of_cells(const Positions<R>& positions, const CellGrid<R>& grid);

// Calls f(cell) for all cells in the order of their hash.
template <class F>
void for_all_cells(const Cell& size, const F& f) {
    for (int y = 0; y < size.y; ++y)
        for (int z = 0; z < size.z; ++z)
            for (int x = 0; x < size.x; ++x) f(Cell{x, y, z});
}

}  // namespace camber::sph
