#include "workloads/sph/slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/base/unsupported.hpp"
#include "workloads/sph/scene.hpp"

namespace camber::sph {

template <class R>
std::vector<std::int64_t> particles_of_slices(const Settings& settings, Principal axis,
                                              bool walls) {
    const CellGrid<R> grid = cell_grid<R>(settings);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(along(axis, grid.size)));
    for (const Lattice& lattice : scene_of(settings)) {
        const std::int64_t layers = axis == Principal::x   ? lattice.nx
                                    : axis == Principal::y ? lattice.ny
                                                           : lattice.nz;
        if (lattice.count() == 0 || (!walls && lattice.kind != Kind::fluid)) continue;
        // The other two coordinates do not matter.
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const double way = 1.0 * static_cast<double>(layer) * settings.dp;
            const Cell cell = grid.cell_of(static_cast<R>(lattice.corner.x + way),
                                           static_cast<R>(lattice.corner.y + way),
                                           static_cast<R>(lattice.corner.z + way));
            counts[static_cast<std::size_t>(along(axis, cell))] += lattice.count() / layers;
        }
    }
    return counts;
}

template <class R>
std::vector<int> slices_of(const Positions<R>& positions, const CellGrid<R>& grid, Principal axis) {
    std::vector<int> slices;
    slices.reserve(positions.count());
    for (std::size_t id = 0; id < positions.count(); ++id)
        slices.push_back(
            along(axis, grid.cell_of(positions.x[id], positions.y[id], positions.z[id])));
    return slices;
}

template <class R>
Principal slice_axis(const Settings& settings, int places) {
    const CellGrid<R> grid = cell_grid<R>(settings);
    Principal best = Principal::y;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    int most_slices = 0;
    for (const Principal axis : principals) {
        const int slices = along(axis, grid.size);
        most_slices = std::max(most_slices, slices);
        if (slices < places) continue;
        const auto counts = particles_of_slices<R>(settings, axis, false);
        if (const std::int64_t fullest = std::ranges::max(counts); fullest < fewest) {
            fewest = fullest;
            best = axis;
        }
    }
    if (most_slices < places)
        throw Unsupported(fmt::format(
            "each of {} places needs a slice of cells, and with dp = {} m there are at most {} "
            "along an axis: give fewer GPUs or a smaller dp",
            places, settings.dp, most_slices));
    return best;
}

template std::vector<std::int64_t> particles_of_slices<float>(const Settings&, Principal, bool);
template std::vector<std::int64_t> particles_of_slices<double>(const Settings&, Principal, bool);
template std::vector<int> slices_of(const Positions<float>&, const CellGrid<float>&, Principal);
template std::vector<int> slices_of(const Positions<double>&, const CellGrid<double>&, Principal);
template Principal slice_axis<float>(const Settings&, int);
template Principal slice_axis<double>(const Settings&, int);

}  // namespace camber::sph
