#include "workloads/water/water_flow/reference.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/water_flow/rule.hpp"

namespace camber::water_flow {
namespace {

// Calls f(r, c) for the neighbors on the board: up, left, right, down.
template <class F>
void for_each_neighbour(Size size, int row, int column, F&& f) {
    if (row > 0) f(row - 1, column);
    if (column > 0) f(row, column - 1);
    if (column + 1 < size.columns) f(row, column + 1);
    if (row + 1 < size.rows) f(row + 1, column);
}

// Best level of a cell; q[1] to q[count] are the levels of its existing neighbors.
template <class T>
T best_level_of(T water, T (&q)[5], int count, Form form) {
    if (form == Form::elimination) return level_by_elimination(water, q, count);
    std::fill(q + count, q + 5, outside_level<T>);
    return level_by_sorting(water, q);
}

}  // namespace

template <class T>
Exchange step(const State& from, State& to, int threads, Form form) {
    const Size size = from.field("level").size();
    const auto level = from.field("level").cells<T>();
    const auto terrain = from.field("terrain").cells<T>();
    const auto sources = from.field("sources").cells<T>();
    const auto result = to.field("level").cells<T>();
    const auto index = [&](int row, int column) {
        return static_cast<std::size_t>(row) * size.columns + column;
    };

    const auto best = std::make_unique_for_overwrite<T[]>(level.size());
    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row)
            for (int column = 0; column < size.columns; ++column) {
                const std::size_t i = index(row, column);
                T q[5] = {terrain[i]};
                int count = 1;
                for_each_neighbour(size, row, column,
                                   [&](int r, int c) { q[count++] = level[index(r, c)]; });
                best[i] = best_level_of(level[i] - terrain[i], q, count, form);
            }
    });

    std::vector<Exchange> exchanges(size.rows);  // per row, so that the order of additions is fixed
    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row)
            for (int column = 0; column < size.columns; ++column) {
                const std::size_t i = index(row, column);
                const T before = level[i];
                T inflow = 0;
                for_each_neighbour(size, row, column, [&](int r, int c) {
                    inflow += larger(T(0), best[index(r, c)] - before);
                });
                const auto after = [&](T source) {
                    const T change = source + inflow + larger(terrain[i], best[i]) - before;
                    return larger(change + before, terrain[i]);
                };
                result[i] = after(sources[i]);
                if (sources[i] == 0) continue;
                const double applied = static_cast<double>(result[i]) - after(0);
                Exchange& exchange = exchanges[row];
                (applied > 0 ? exchange.added : exchange.drained) +=
                    applied > 0 ? applied : -applied;
            }
    });
    Exchange total;
    for (const Exchange& exchange : exchanges) {
        total.added += exchange.added;
        total.drained += exchange.drained;
    }
    return total;
}

// In place: once best levels are computed, a cell's new level depends on no other cell's level.
template <class T>
Exchange step(State& state) {
    return step<T>(state, state, 1, Form::elimination);
}

template <class T>
double water(const State& state) {
    const auto level = state.field("level").cells<T>();
    const auto terrain = state.field("terrain").cells<T>();
    const Size size = state.field("level").size();
    std::vector<double> rows(size.rows);
#pragma omp parallel for schedule(static) if (size.cells() >= 1 << 20)
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * size.columns + column;
            rows[row] += static_cast<double>(level[i]) - static_cast<double>(terrain[i]);
        }
    return std::accumulate(rows.begin(), rows.end(), 0.0);
}

template Exchange step<float>(const State&, State&, int, Form);
template Exchange step<double>(const State&, State&, int, Form);
template Exchange step<float>(State&);
template Exchange step<double>(State&);
template double water<float>(const State&);
template double water<double>(const State&);

template <class T>
State empty_state(Size size) {
    State state;
    for (const char* field : {"terrain", "level", "sources"})
        state.fields.emplace_back(field, element_of<T>(), size);
    state.account = {{"added", 0}, {"drained", 0}};
    return state;
}

namespace {

template <class T>
bool has_ground(T terrain) {
    return terrain < outside_level<T>;
}

// Puts water on half of the cells; altitude(i) returns the ground.
template <class T, class Altitude>
State flooded(Size size, std::uint64_t seed, const Altitude& altitude) {
    State state = empty_state<T>(size);
    const auto terrain = state.field("terrain").cells<T>();
    const auto level = state.field("level").cells<T>();
    const auto sources = state.field("sources").cells<T>();
    for (std::size_t i = 0; i < terrain.size(); ++i) {
        const float ground = altitude(i);
        const bool wet = has_ground(ground) && mix(seed + 1, i) >> 63;
        terrain[i] = ground;
        level[i] = ground + (wet ? 1.f : 0.f);
    }
    const auto first = std::ranges::find_if(terrain, has_ground<T>);
    if (first == terrain.end()) return state;
    sources[first - terrain.begin()] += T(0.5);
    sources[std::ranges::min_element(terrain) - terrain.begin()] -= T(0.5);
    return state;
}

}  // namespace

template <class T>
State random_state(Size size, std::uint64_t seed) {
    return flooded<T>(size, seed, [&](std::size_t i) {
        return static_cast<float>(mix(seed, i) >> 40) * 0x1p-24f * 10.f;
    });
}

template <class T>
State flooded_terrain(const AsciiGrid& terrain, std::uint64_t seed) {
    return flooded<T>(terrain.header.size, seed, [&](std::size_t i) {
        return terrain.has_data(i) ? static_cast<float>(terrain.values[i]) : outside_level<float>;
    });
}

template State empty_state<float>(Size);
template State empty_state<double>(Size);
template State random_state<float>(Size, std::uint64_t);
template State random_state<double>(Size, std::uint64_t);
template State flooded_terrain<float>(const AsciiGrid&, std::uint64_t);
template State flooded_terrain<double>(const AsciiGrid&, std::uint64_t);

}  // namespace camber::water_flow
