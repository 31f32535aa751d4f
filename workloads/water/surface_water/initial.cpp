#include "workloads/water/surface_water/initial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "workloads/core/random.hpp"
#include "workloads/water/surface_water/physics.hpp"
#include "workloads/water/surface_water/reference.hpp"

namespace camber::surface_water {
namespace {

float valley_altitude(Size size, std::int64_t row, std::int64_t column, std::uint64_t noise) {
    const std::int64_t across = 20000 * std::abs(2 * (column % 97) - 97) / 97;
    const std::int64_t along = 12000 * std::abs(2 * (row % 61) - 61) / 61;
    const std::int64_t millimetres = 1800000 + 200 * (size.rows - 1 - row) + across + along +
                                     static_cast<std::int64_t>(noise % 250);
    return static_cast<float>(millimetres) * 0.001f;
}

// Makes a cell active. Calls altitude(row, column, index) for all cells except the outermost; NaN
// leaves the cell inert.
template <class T, class Altitude>
State ground(Size size, std::uint64_t seed, const Altitude& altitude) {
    State state = inert_state<T>(size);
    const auto terrain = state.field("terrain").cells<T>();
    const auto infiltration = state.field("infiltration").cells<T>();
    for (int row = 1; row + 1 < size.rows; ++row)
        for (int column = 1; column + 1 < size.columns; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * size.columns + column;
            const float z = altitude(row, column, i);
            if (std::isnan(z)) continue;
            terrain[i] = z;
            infiltration[i] = (mix(seed + 7, i) >> 63 ? 5e-3f : 2e-3f) / 3600.f;
        }
    return state;
}

}  // namespace

template <class T>
State inert_state(Size size) {
    State state;
    for (const char* field : {"terrain", "depth", "infiltration"})
        state.fields.emplace_back(field, element_of<T>(), size);
    std::ranges::fill(state.field("terrain").cells<T>(), inert_terrain<T>);
    std::ranges::fill(state.field("infiltration").cells<T>(), inert_infiltration<T>);
    for (const char* entry :
         {rained_account, infiltrated_account, lost_account, gained_account, courant_account})
        state.account[entry] = 0;
    return state;
}

template <class T>
State valley(Size size, std::uint64_t seed) {
    return ground<T>(size, seed, [&](int row, int column, std::size_t i) {
        return valley_altitude(size, row, column, mix(seed + 6, i));
    });
}

template <class T>
State dry_terrain(const AsciiGrid& given, std::uint64_t seed) {
    return ground<T>(given.header.size, seed, [&](int, int, std::size_t i) {
        return given.has_data(i) ? static_cast<float>(given.values[i]) : std::nanf("");
    });
}

template State inert_state<float>(Size);
template State inert_state<double>(Size);
template State valley<float>(Size, std::uint64_t);
template State valley<double>(Size, std::uint64_t);
template State dry_terrain<float>(const AsciiGrid&, std::uint64_t);
template State dry_terrain<double>(const AsciiGrid&, std::uint64_t);

}  // namespace camber::surface_water
