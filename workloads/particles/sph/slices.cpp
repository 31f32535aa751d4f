#include "workloads/particles/sph/slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numbers>

#include "harness/base/error.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

namespace {

// For each cell coordinate along an axis: number of the line's particles, dp apart, at that
// coordinate.
template <class F>
std::vector<std::int64_t> counts_along(int cells, std::int64_t particles, const F& cell_at) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(cells));
    for (std::int64_t i = 0; i < particles; ++i) ++counts[static_cast<std::size_t>(cell_at(i))];
    return counts;
}

template <class R>
CellCounts empty_cells(const CellGrid<R>& grid) {
    const auto cells = static_cast<std::size_t>(grid.count());
    return {std::vector<std::int32_t>(cells), std::vector<std::int32_t>(cells)};
}

}  // namespace

Sharing sharing_of(const ParameterSet& set) {
    const auto refuse = [](const char* name, double value, const char* wanted) {
        return Error(ExitCode::usage,
                     fmt::format("parameter {} = {} is impossible: give {}", name, value, wanted));
    };
    Sharing sharing;
    sharing.balance_threshold = set.value("balance_threshold");
    if (!(sharing.balance_threshold >= 0 && sharing.balance_threshold <= 1000))
        throw refuse("balance_threshold", sharing.balance_threshold, "a number from 0 to 1000");
    const double measure = set.value("divide_by");
    if (measure != 0 && measure != 1 && measure != 2)
        throw refuse("divide_by", measure,
                     "0 for work, 1 for particles or 2 for those at the start");
    sharing.divide_by = static_cast<SliceMeasure>(static_cast<int>(measure));
    constexpr Principal axes[] = {Principal::x, Principal::y, Principal::z};
    const double along = set.value("divide_along");
    if (along != 0 && along != 1 && along != 2 && along != 3)
        throw refuse("divide_along", along, "0, or 1, 2 or 3 for x, y or z");
    if (along > 0) sharing.along = axes[static_cast<int>(along) - 1];
    return sharing;
}

template <class R>
CellCounts counts_of_cells(const Settings& settings) {
    const CellGrid<R> grid = cell_grid<R>(settings);
    CellCounts counts = empty_cells(grid);
    for (const Lattice& lattice : scene_of(settings)) {
        const auto place = [&](double corner, std::int64_t i) {
            return static_cast<R>(corner + 1.0 * i * settings.dp);
        };
        const Point& corner = lattice.corner;
        const auto x = counts_along(grid.size.x, lattice.nx, [&](std::int64_t i) {
            return grid.cell_of(place(corner.x, i), R(0), R(0)).x;
        });
        const auto y = counts_along(grid.size.y, lattice.ny, [&](std::int64_t i) {
            return grid.cell_of(R(0), place(corner.y, i), R(0)).y;
        });
        const auto z = counts_along(grid.size.z, lattice.nz, [&](std::int64_t i) {
            return grid.cell_of(R(0), R(0), place(corner.z, i)).z;
        });
        for_all_cells(grid.size, [&](const Cell& cell) {
            const auto count = static_cast<std::int32_t>(x[static_cast<std::size_t>(cell.x)] *
                                                         y[static_cast<std::size_t>(cell.y)] *
                                                         z[static_cast<std::size_t>(cell.z)]);
            const auto at = static_cast<std::size_t>(grid.hash_of(cell));
            counts.all[at] += count;
            if (lattice.kind == Kind::fluid) counts.fluid[at] += count;
        });
    }
    return counts;
}

template <class R>
CellCounts counts_of_cells(const Positions<R>& positions, const CellGrid<R>& grid) {
    CellCounts counts = empty_cells(grid);
    for (std::size_t id = 0; id < positions.count(); ++id) {
        const auto at = static_cast<std::size_t>(
            grid.hash_of(grid.cell_of(positions.x[id], positions.y[id], positions.z[id])));
        ++counts.all[at];
        if (positions.is_fluid(id)) ++counts.fluid[at];
    }
    return counts;
}

template CellCounts counts_of_cells<float>(const Settings&);
template CellCounts counts_of_cells<double>(const Settings&);
template CellCounts counts_of_cells(const Positions<float>&, const CellGrid<float>&);
template CellCounts counts_of_cells(const Positions<double>&, const CellGrid<double>&);

namespace {

// Bytes per pair: list entry, 4, and the neighbor's two float4, in each of two evaluations.
constexpr double bytes_per_pair = 2 * (4 + 32);
// Predictor and corrector read and write two float4 and read a force; each of two evaluations reads
// two float4 and writes a force and a limit.
constexpr double bytes_per_particle = 2 * (32 + 16 + 32) + 2 * (32 + 16 + 4);
constexpr double share_of_cells_around = 4 * std::numbers::pi / 3 / 27;

}  // namespace

template <class R>
std::vector<std::int64_t> counts_of_slices(const std::vector<std::int32_t>& cells,
                                           const CellGrid<R>& grid, Principal axis) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(along(axis, grid.size)));
    for_all_cells(grid.size, [&](const Cell& cell) {
        counts[static_cast<std::size_t>(along(axis, cell))] +=
            cells[static_cast<std::size_t>(grid.hash_of(cell))];
    });
    return counts;
}

template <class R>
std::vector<std::int64_t> work_of_slices(const CellCounts& counts, const CellGrid<R>& grid,
                                         Principal axis) {
    std::vector<double> bytes(static_cast<std::size_t>(along(axis, grid.size)));
    for_all_cells(grid.size, [&](const Cell& cell) {
        const auto at = static_cast<std::size_t>(grid.hash_of(cell));
        double& of_slice = bytes[static_cast<std::size_t>(along(axis, cell))];
        of_slice += bytes_per_particle * counts.all[at];
        if (counts.fluid[at] == 0) return;
        std::int64_t around = 0;
        for_cells_around(grid, cell, [&](bool exists, int other) {
            if (exists) around += counts.all[static_cast<std::size_t>(other)];
        });
        of_slice +=
            bytes_per_pair * share_of_cells_around * counts.fluid[at] * static_cast<double>(around);
    });
    std::vector<std::int64_t> work;
    for (const double of_slice : bytes) work.push_back(static_cast<std::int64_t>(of_slice));
    return work;
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
Principal slice_axis(const Settings& settings, const CellCounts& counts, int places) {
    const CellGrid<R> grid = cell_grid<R>(settings);
    Principal best = Principal::y;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    int most_slices = 0;
    for (const Principal axis : principals) {
        const int slices = along(axis, grid.size);
        most_slices = std::max(most_slices, slices);
        if (slices < places) continue;
        const auto water = counts_of_slices(counts.fluid, grid, axis);
        if (const std::int64_t fullest = std::ranges::max(water); fullest < fewest) {
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

template <class R>
Principal slice_axis(const Settings& settings, const CellCounts& counts, int places,
                     std::optional<Principal> chosen) {
    if (!chosen) return slice_axis<R>(settings, counts, places);
    if (const int slices = along(*chosen, cell_grid<R>(settings).size); slices < places)
        throw Unsupported(fmt::format(
            "each of {} places needs a slice of cells, and there are {} along the chosen axis: "
            "leave out --divide-along, or give fewer GPUs or a smaller dp",
            places, slices));
    return *chosen;
}

template std::vector<std::int64_t> counts_of_slices(const std::vector<std::int32_t>&,
                                                    const CellGrid<float>&, Principal);
template std::vector<std::int64_t> counts_of_slices(const std::vector<std::int32_t>&,
                                                    const CellGrid<double>&, Principal);
template std::vector<std::int64_t> work_of_slices(const CellCounts&, const CellGrid<float>&,
                                                  Principal);
template std::vector<std::int64_t> work_of_slices(const CellCounts&, const CellGrid<double>&,
                                                  Principal);
template std::vector<int> slices_of(const Positions<float>&, const CellGrid<float>&, Principal);
template std::vector<int> slices_of(const Positions<double>&, const CellGrid<double>&, Principal);
template Principal slice_axis<float>(const Settings&, const CellCounts&, int);
template Principal slice_axis<double>(const Settings&, const CellCounts&, int);
template Principal slice_axis<float>(const Settings&, const CellCounts&, int,
                                     std::optional<Principal>);
template Principal slice_axis<double>(const Settings&, const CellCounts&, int,
                                      std::optional<Principal>);

}  // namespace camber::sph
