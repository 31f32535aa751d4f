#include "workloads/particles/sph/neighbors.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "harness/base/error.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph {

template <class R>
CellGrid<R> cell_grid(const Settings& settings) {
    // The cell is slightly wider than the reach of a list, so that rounding cannot place two
    // particles within reach of each other two cells apart.
    const double side = list_radius(settings) * (1 + 1e-4);
    const Point extent = extent_of(settings);
    const double cells = (extent.x / side + 1) * (extent.y / side + 1) * (extent.z / side + 1);
    if (cells > std::numeric_limits<std::int32_t>::max())
        throw Error(ExitCode::unavailable,
                    fmt::format("a spacing of dp = {} m needs {:.0e} cells to find neighbours in: "
                                "give a larger dp",
                                settings.dp, cells));
    const auto count = [&](double length) {
        return std::max(1, static_cast<int>(std::ceil(length / side)));
    };
    return {{count(extent.x), count(extent.y), count(extent.z)}, static_cast<R>(1 / side)};
}

template CellGrid<float> cell_grid(const Settings& settings);
template CellGrid<double> cell_grid(const Settings& settings);

namespace {

// Calls f(other) for all particles in the cells around particle `id`, including `id`, in ascending
// order.
template <class R, class F>
void for_candidates(const Positions<R>& at, const CellGrid<R>& grid, const CellOrder& order,
                    std::size_t id, const F& f) {
    for_cells_around(grid, grid.cell_of(at.x[id], at.y[id], at.z[id]), [&](bool exists, int cell) {
        if (!exists) return;
        for (std::int32_t s = order.first[cell]; s < order.first[cell + 1]; ++s) f(order.ids[s]);
    });
}

template <class R>
Positions<R> positions_of(const State& state, const std::array<const char*, 3>& fields) {
    return {state.field(fields[0]).cells<R>(), state.field(fields[1]).cells<R>(),
            state.field(fields[2]).cells<R>(), state.field(kind_field).cells<std::uint8_t>()};
}

}  // namespace

template <class R>
CellOrder order_of(const Positions<R>& positions, const CellGrid<R>& grid) {
    const std::size_t count = positions.count();
    std::vector<std::int32_t> cells(count);
    CellOrder order;
    order.first.assign(static_cast<std::size_t>(grid.count()) + 1, 0);
    order.ids.resize(count);
    for (std::size_t id = 0; id < count; ++id) {
        cells[id] = grid.hash_of(grid.cell_of(positions.x[id], positions.y[id], positions.z[id]));
        ++order.first[cells[id] + 1];
    }
    for (std::size_t c = 1; c < order.first.size(); ++c) order.first[c] += order.first[c - 1];
    std::vector<std::int32_t> next(order.first.begin(), order.first.end() - 1);
    for (std::size_t id = 0; id < count; ++id)
        order.ids[next[cells[id]]++] = static_cast<std::int32_t>(id);
    return order;
}

template <class R>
NeighbourList neighbours_of(const Positions<R>& positions, const Settings& settings, int most,
                            int threads) {
    const CellGrid<R> grid = cell_grid<R>(settings);
    const CellOrder order = order_of(positions, grid);
    const R reach_2 = constants_of<R>(settings).list_radius_2;
    const auto count = static_cast<int>(positions.count());
    NeighbourList list;
    list.places.resize(positions.count());
    list.parts.resize(static_cast<std::size_t>(std::max(1, threads)));
    std::atomic<int> part = 0;
    parallel_rows(threads, count, [&](int first, int last) {
        const int own = part++;
        std::vector<std::int32_t>& ids = list.parts.at(own);
        for (int id = first; id < last; ++id) {
            NeighbourList::Place& place = list.places[id];
            place = {own, 0, static_cast<std::int64_t>(ids.size())};
            if (!positions.is_fluid(id)) continue;
            for_candidates(positions, grid, order, id, [&](std::int32_t other) {
                if (other != id && positions.distance_2(id, other) < reach_2) ids.push_back(other);
            });
            place.count =
                static_cast<std::int32_t>(static_cast<std::int64_t>(ids.size()) - place.first);
            if (place.count > most) report_overflow(id, -1, most);
        }
    });
    return list;
}

void report_overflow(std::int64_t particle, std::int64_t iteration, int most) {
    const std::string when = iteration < 0 ? "" : fmt::format(" in iteration {}", iteration);
    throw Error(ExitCode::usage,
                fmt::format("particle {} has more than {} neighbours{}, which is all that a list "
                            "holds: the water is compressed too much, give a smaller cfl or alpha",
                            particle, most, when));
}

std::int64_t missed_pairs(const State& state, double dp, double list_radius) {
    return with_real_cells(state.field(density_field), [&](auto density) -> std::int64_t {
        using R = typename decltype(density)::value_type;
        const Settings settings{.dp = dp};
        const auto now = positions_of<R>(state, position_fields);
        const auto listed = positions_of<R>(state, listed_fields);
        const CellGrid<R> grid = cell_grid<R>(settings);
        const CellOrder order = order_of(now, grid);
        const R reach_2 = constants_of<R>(settings).radius_2;
        const R listed_2 = static_cast<R>(list_radius * list_radius);
        std::atomic<std::int64_t> missed = 0;
        const auto count = static_cast<int>(now.count());
        parallel_rows(worthwhile_threads(count, omp_get_num_procs()), count,
                      [&](int first, int last) {
                          std::int64_t own = 0;
                          for (int id = first; id < last; ++id) {
                              if (!now.is_fluid(id)) continue;
                              for_candidates(now, grid, order, id, [&](std::int32_t other) {
                                  if (other > id && now.is_fluid(other) &&
                                      now.distance_2(id, other) < reach_2 &&
                                      !(listed.distance_2(id, other) < listed_2))
                                      ++own;
                              });
                          }
                          missed += own;
                      });
        return missed;
    });
}

template CellOrder order_of(const Positions<float>&, const CellGrid<float>&);
template CellOrder order_of(const Positions<double>&, const CellGrid<double>&);
template NeighbourList neighbours_of(const Positions<float>&, const Settings&, int, int);
template NeighbourList neighbours_of(const Positions<double>&, const Settings&, int, int);

}  // namespace camber::sph
