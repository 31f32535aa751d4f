// Parameter sets and grounds with known results.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/workloads/lava/changed.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/magflow/parameters.hpp"
#include "workloads/lava/magflow/reference.hpp"

namespace camber::magflow {

inline ParameterSet etna(const lava::EmissionRates& rates = {86400, {{1, {30}}}}) {
    return ParameterSet(parameters(rates, std::vector<double>(rates.vents.size(), 1)));
}

using lava::changed;

// Density times specific heat times the area of a cell of 10 m, J/(m K).
inline constexpr double capacity = 2600.0 * 1150.0 * 100.0;

// A rough valley that descends to the south, with a vent of 30 m^3/s in row 8, column 32.
inline lava::Event valley() {
    constexpr int side = 64;
    lava::Event event;
    event.map.size = {side, side};
    event.map.cell_size = 10;
    event.vents = {{1, 8, 32}};
    event.rates = {86400, {{1, {30}}}};
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const std::uint32_t hash = (73856093u * static_cast<std::uint32_t>(row)) ^
                                       (19349663u * static_cast<std::uint32_t>(column));
            event.altitude.push_back(512 - 1.5 * row + 0.25 * std::abs(column - 32) +
                                     (hash & 255u) / 128.0);
        }
    return event;
}

inline void run(State& state, const ParameterSet& set, int steps, Coverage extent = Coverage::lava,
                PairOrder order = PairOrder::gather, int threads = 1) {
    State other = state;
    for (int n = 0; n < steps; ++n) {
        step(state, other, {Boundary::dead, set, n, threads}, extent, order);
        std::swap(state, other);
    }
}

template <class R>
R at(const State& state, const char* field, int row, int column) {
    const Size size = state.field(field).size();
    return state.field(field).cells<R>()[static_cast<std::size_t>(row) * size.columns + column];
}

inline double time_of(const State& state) {
    return state.field(time_field).cells<double>()[0];
}

}  // namespace camber::magflow
