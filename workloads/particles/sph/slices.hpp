// Slices of cells, which are all cells with one coordinate along an axis, and particle counts per
// cell. Each device of a group has whole slices (Rustico 2012, section 8.2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/particles/sph/neighbors.hpp"

namespace camber::sph {

// Measure by which devices share slices at the start of a run.
enum class SliceMeasure : std::uint8_t {
    work,       // memory traffic of an iteration, estimated from the particles now
    particles,  // number of particles now
    start,      // number of particles at the start of the scene (Rustico 2012, section 8.2)
};

// Division of slices among devices, which changes no particle.
struct Sharing {
    double balance_threshold = 0.5;  // in units of the time for a slice; 0: adaptive
    SliceMeasure divide_by = SliceMeasure::work;
    // Axis of the slices: more of them along a longer axis make a finer grain. nullopt:
    // slice_axis().
    std::optional<Principal> along = std::nullopt;
};

// Throws Error(usage) for invalid values.
Sharing sharing_of(const ParameterSet& set);

// Counts, indexed by the cell's hash.
struct CellCounts {
    std::vector<std::int32_t> all;
    std::vector<std::int32_t> fluid;
};

// Counts at the start of a scene.
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

// Axes along which slices are possible, in order of preference.
inline constexpr Principal principals[] = {Principal::y, Principal::x, Principal::z};

// Number of particles per slice; `cells` contains counts by cell hash.
template <class R>
std::vector<std::int64_t> counts_of_slices(const std::vector<std::int32_t>& cells,
                                           const CellGrid<R>& grid, Principal axis);

// Memory traffic per slice in an iteration, bytes: the fields of every particle and, for every
// pair, the list entry and the neighbor's position and velocity in both evaluations of forces.
// Forces act only on water, so a slice with walls or with the water's surface costs less than one
// with as many particles inside the water. Pairs are estimated: 15.5 % of the particles in the 27
// cells around a particle are within its reach, the ratio of the volumes.
template <class R>
std::vector<std::int64_t> work_of_slices(const CellCounts& counts, const CellGrid<R>& grid,
                                         Principal axis);

// Slice of each particle.
template <class R>
std::vector<int> slices_of(const Positions<R>& positions, const CellGrid<R>& grid, Principal axis);

// Axis with at least one slice per device whose fullest slice has the fewest water particles:
// devices exchange slices, and balancing moves slices. Water that falls along the longer side of
// its box remains evenly divided. Throws Unsupported if there are too few slices along every axis.
template <class R>
Principal slice_axis(const Settings& settings, const CellCounts& counts, int places);
// The same with a chosen axis.
template <class R>
Principal slice_axis(const Settings& settings, const CellCounts& counts, int places,
                     std::optional<Principal> chosen);

}  // namespace camber::sph
