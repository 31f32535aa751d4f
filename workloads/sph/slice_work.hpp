// What slices of cells cost. Only water is acted on, so that a slice of wall, or of water's
// surface, costs less than as many particles in the midst of the water.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/sph/slices.hpp"

namespace camber::sph {

// How many particles each cell has, by its hash.
struct CellCounts {
    std::vector<std::int32_t> all;
    std::vector<std::int32_t> fluid;
};

// At the start of a scene.
template <class R>
CellCounts counts_of_cells(const Settings& settings);
// Of any positions.
template <class R>
CellCounts counts_of_cells(const Positions<R>& positions, const CellGrid<R>& grid);

// Bytes that an iteration moves for each slice along the axis: for every particle its own fields,
// and for every pair its entry of the list and the neighbour's position and velocity, by both
// evaluations of forces. Pairs are estimated: a ball as wide as the 27 cells around has 15.5 % of
// what they have.
template <class R>
std::vector<std::int64_t> work_of_slices(const CellCounts& counts, const CellGrid<R>& grid,
                                         Principal axis);

}  // namespace camber::sph
