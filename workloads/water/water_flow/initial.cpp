#include "workloads/water/water_flow/initial.hpp"

#include <algorithm>

#include "workloads/core/random.hpp"
#include "workloads/water/water_flow/rule.hpp"

namespace camber::water_flow {

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

// Water on half of the cells, upon the ground that altitude(i) gives.
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
