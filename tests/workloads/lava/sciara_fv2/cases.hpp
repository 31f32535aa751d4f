// Parameter sets and grounds with known results.
#pragma once

#include <vector>

#include "tests/workloads/lava/changed.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"

namespace camber::sciara_fv2 {

inline ParameterSet etna_2006(const lava::EmissionRates& rates = {86400, {{1, {3}}}}) {
    return ParameterSet(parameters(rates));
}

using lava::changed;

inline ParameterSet etna_2001(const lava::EmissionRates& rates = {86400, {{1, {0.5}}}}) {
    return changed(etna_2006(rates), {{"clock", 60},
                                      {"r_sol", 0.065},
                                      {"r_vent", 0.9},
                                      {"hc_sol", 50},
                                      {"hc_vent", 0.8},
                                      {"cooling", 9.4}});
}

inline ParameterSet second_etna_2006() {
    return changed(etna_2006(), {{"clock", 60},
                                 {"r_sol", 0.075},
                                 {"r_vent", 0.9},
                                 {"hc_sol", 60},
                                 {"hc_vent", 0.4},
                                 {"cooling", 9.0}});
}

// A slope that descends by 2 m per row, with a vent in row 8, column 16.
inline State slope() {
    constexpr Size size{32, 32};
    std::vector<double> altitude(static_cast<std::size_t>(size.cells()));
    for (std::size_t i = 0; i < altitude.size(); ++i)
        altitude[i] = 1000 - 2.0 * static_cast<double>(i / size.columns);
    return bare_state(size, altitude, {{1, 8, 16}}, {86400, {{1, {3}}}});
}

inline double at(const State& state, const char* field, int row, int column) {
    const Size size = state.field(field).size();
    return state.field(field)
        .cells<double>()[static_cast<std::size_t>(row) * size.columns + column];
}

}  // namespace camber::sciara_fv2
