// Grounds and states with known results.
#pragma once

#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/workloads/lava/changed.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"
#include "workloads/lava/sciara_fv3/reference.hpp"

namespace camber::sciara_fv3 {

inline lava::EmissionRates constant_rate(double rate) {
    return {1e9, {{1, {rate}}}};
}

inline ParameterSet etna_2006(const lava::EmissionRates& rates = constant_rate(3)) {
    return ParameterSet(parameters(rates));
}

using lava::changed;

// Altitude 1000 m in the northernmost row, `fall` m less in each following row.
inline std::vector<double> plane(Size size, double fall) {
    std::vector<double> altitude(static_cast<std::size_t>(size.cells()));
    for (std::size_t i = 0; i < altitude.size(); ++i)
        altitude[i] = 1000 - fall * static_cast<double>(i / size.columns);
    return altitude;
}

inline State with_vent(Size size, ElementType cell, double fall, int row, int column) {
    return bare_state(size, cell, plane(size, fall), {{1, row, column}}, constant_rate(3));
}

// The published hash of a cell, from 0 to below 1.
inline double hashed(std::size_t i) {
    return static_cast<double>(((i * 2654435761ull % (1ull << 32)) >> 8) % 1000) / 1000;
}

// A disc of lava 1 to 5 m thick in the middle, a quarter of the board.
inline State disc(Size size, ElementType cell, double fall) {
    State state = bare_state(size, cell, plane(size, fall), {}, {});
    std::vector<double> h(static_cast<std::size_t>(size.cells()));
    std::vector<double> t(h.size());
    const double most = 0.25 * static_cast<double>(size.cells()) / std::numbers::pi;
    for (std::size_t i = 0; i < h.size(); ++i) {
        const double south = static_cast<double>(i / size.columns) - size.rows / 2;
        const double east = static_cast<double>(i % size.columns) - size.columns / 2;
        if (south * south + east * east > most) continue;
        h[i] = 1 + 4 * hashed(i);
        t[i] = 1360;
    }
    assign(state.field(thickness_field), h);
    assign(state.field(temperature_field), t);
    open_account(state);
    return state;
}

inline void advance_reference(State& state, const ParameterSet& set, int steps,
                              Order order = Order::gather,
                              Trigonometry form = Trigonometry::branching, int threads = 1) {
    State other = state;
    const bool real = state.field(thickness_field).element() == ElementType::float32;
    for (int n = 0; n < steps; ++n) {
        const GenerationContext context{Boundary::dead, set, n, threads};
        if (real)
            step<float>(state, other, context, order, form);
        else
            step<double>(state, other, context, order, form);
        std::swap(state, other);
    }
}

}  // namespace camber::sciara_fv3
