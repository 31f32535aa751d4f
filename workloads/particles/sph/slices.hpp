// Slices of cells, all cells of one coordinate along an axis, and particle counts per cell. Each
// device of a group has whole slices (Rustico 2012, section 8.2).
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/particles/sph/neighbors.hpp"

namespace camber::sph {

// Number of particles per cell.

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

// Slices of cells: all cells of one coordinate along an axis. Each device of a group has whole
// slices (Rustico 2012, section 8.2).
inline constexpr Principal principals[] = {Principal::y, Principal::x, Principal::z};

// How many particles each slice has of those that `cells` counts by hash.
template <class R>
std::vector<std::int64_t> counts_of_slices(const std::vector<std::int32_t>& cells,
                                           const CellGrid<R>& grid, Principal axis);

// Bytes that an iteration moves for each slice: for every particle its own fields, and for every
// pair its entry of the list and the neighbor's position and velocity, by both evaluations of
// forces. Only water is acted on, so that a slice of wall, or of water's surface, costs less than
// as many particles in the midst of the water. Pairs are estimated: a ball as wide as the 27 cells
// around has 15.5 % of what they have.
template <class R>
std::vector<std::int64_t> work_of_slices(const CellCounts& counts, const CellGrid<R>& grid,
                                         Principal axis);

// The slice of each particle.
template <class R>
std::vector<int> slices_of(const Positions<R>& positions, const CellGrid<R>& grid, Principal axis);

// Axis with at least one slice per device whose fullest slice has the fewest water particles:
// slices are what devices exchange, and what balancing moves. Water that falls along the longer
// side of its box remains evenly divided. Throws Unsupported if there are too few slices along
// every axis.
template <class R>
Principal slice_axis(const Settings& settings, const CellCounts& counts, int places);

}  // namespace camber::sph
