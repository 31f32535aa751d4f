// Slices of cells: all cells of one coordinate along an axis. Places that share particles have
// whole ones (Rustico 2012, section 8.2).
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/sph/cells.hpp"
#include "workloads/sph/neighbours.hpp"

namespace camber::sph {

inline constexpr Principal principals[] = {Principal::y, Principal::x, Principal::z};

// Particles of each slice at the start of a scene, those of walls among them or not.
template <class R>
std::vector<std::int64_t> particles_of_slices(const Settings& settings, Principal axis,
                                              bool walls = true);
// The same of any positions: the slice of each particle.
template <class R>
std::vector<int> slices_of(const Positions<R>& positions, const CellGrid<R>& grid, Principal axis);

// The axis of which so many places have a slice each, and of whose slices the fullest has the
// fewest particles of water at the start: that is what places send each other, and what balancing
// moves. Water that falls along the longer side of its box stays as evenly divided. Throws
// Unsupported where there are too few slices along any axis.
template <class R>
Principal slice_axis(const Settings& settings, int places);

}  // namespace camber::sph
