#include "workloads/particles/sph/cell_counts.hpp"

#include <cstddef>

#include "workloads/particles/sph/scene.hpp"

namespace camber::sph {

namespace {

// How many of a line of particles, dp apart, are at each coordinate of cells.
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

}  // namespace camber::sph
