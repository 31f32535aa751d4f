#include "workloads/water_flow/initial.hpp"

#include <algorithm>

#include "workloads/random.hpp"

namespace camber::water_flow {

template <class T>
State empty_state(Size size) {
    State state;
    for (const char* field : {"terrain", "level", "sources"})
        state.fields.emplace_back(field, element_of<T>(), size);
    return state;
}

template <class T>
State random_state(Size size, std::uint64_t seed) {
    State state = empty_state<T>(size);
    const auto terrain = state.field("terrain").cells<T>();
    const auto level = state.field("level").cells<T>();
    const auto sources = state.field("sources").cells<T>();
    for (std::size_t i = 0; i < terrain.size(); ++i) {
        const float altitude = static_cast<float>(mix(seed, i) >> 40) * 0x1p-24f * 10.f;
        const float surface = altitude + (mix(seed + 1, i) >> 63 ? 1.f : 0.f);
        terrain[i] = altitude;
        level[i] = surface;
    }
    if (terrain.empty()) return state;
    sources[0] += T(0.5);
    sources[std::min_element(terrain.begin(), terrain.end()) - terrain.begin()] -= T(0.5);
    return state;
}

template State empty_state<float>(Size);
template State empty_state<double>(Size);
template State random_state<float>(Size, std::uint64_t);
template State random_state<double>(Size, std::uint64_t);

}  // namespace camber::water_flow
