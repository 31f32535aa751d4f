// Small maps with known histories, and functions to inspect states.
#pragma once

#include <algorithm>
#include <vector>

#include "workloads/water/surface_water/physics.hpp"
#include "workloads/water/surface_water/reference.hpp"

namespace camber::surface_water {

inline ParameterSet with_rain(double rain, double steps = 250) {
    ParameterSet set(parameters());
    set.set("rain", {rain});
    set.set("rain_steps", {steps});
    return set;
}

// A map of `columns` columns within an inert ring; the ground is dry and absorbs nothing.
template <class T>
State map_of(int columns, const std::vector<double>& terrain, const std::vector<double>& depth) {
    const int rows = static_cast<int>(terrain.size()) / columns;
    State state = inert_state<T>({columns + 2, rows + 2});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const std::size_t from = static_cast<std::size_t>(row) * columns + column;
            const std::size_t to = static_cast<std::size_t>(row + 1) * (columns + 2) + column + 1;
            state.field("terrain").cells<T>()[to] = static_cast<T>(terrain[from]);
            state.field("depth").cells<T>()[to] = static_cast<T>(depth[from]);
            state.field("infiltration").cells<T>()[to] = 0;
        }
    return state;
}

// Nine cells; the middle one is the lowest.
template <class T>
State bowl() {
    return map_of<T>(3, {3, 2, 3, 2, 1, 2, 3, 2, 2.5}, std::vector<double>(9, 0.027));
}

// Cells of a field within the ring.
template <class T>
std::vector<T> interior(const State& state, const char* field) {
    const Size size = state.field(field).size();
    const auto cells = state.field(field).cells<T>();
    std::vector<T> result;
    for (int row = 1; row + 1 < size.rows; ++row)
        for (int column = 1; column + 1 < size.columns; ++column)
            result.push_back(cells[static_cast<std::size_t>(row) * size.columns + column]);
    return result;
}

template <class T>
double deepest(const State& state) {
    return std::ranges::max(state.field("depth").cells<T>());
}

// Largest difference between two states' depths, of any types.
template <class A, class B>
double largest_difference(const State& a, const State& b) {
    const auto x = a.field("depth").cells<A>();
    const auto y = b.field("depth").cells<B>();
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(x[i]) - y[i]));
    return largest;
}

// Advances a state with the reference.
template <class T>
void step(State& state, GenerationContext& context) {
    State next = state;
    generation<T>(state, next, context);
    std::swap(state, next);
    ++context.number;
}

}  // namespace camber::surface_water
