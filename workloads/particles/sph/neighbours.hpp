// The reference's neighbor search, which defines correct neighbor lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/particles/sph/cells.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

// Positions of all particles, by number.
template <class R>
struct Positions {
    std::span<const R> x, y, z;
    std::span<const std::uint8_t> kinds;

    std::size_t count() const { return x.size(); }
    bool is_fluid(std::size_t id) const { return kinds[id] == 0; }
    R distance_2(std::size_t a, std::size_t b) const {
        const R dx = x[a] - x[b];
        const R dy = y[a] - y[b];
        const R dz = z[a] - z[b];
        return dx * dx + dy * dy + dz * dz;
    }
};

// Particles by (cell, number).
struct CellOrder {
    std::vector<std::int32_t> first;  // of each cell, and behind the last one
    std::vector<std::int32_t> ids;
};
template <class R>
CellOrder order_of(const Positions<R>& positions, const CellGrid<R>& grid);

// The neighbors of each particle of fluid, walls among them, ascending by (cell, number).
struct NeighbourList {
    // By particle: where its neighbors begin in its part, how many there are, and which part.
    struct Place {
        std::int32_t part = 0;
        std::int32_t count = 0;
        std::int64_t first = 0;
    };
    std::vector<Place> places;
    std::vector<std::vector<std::int32_t>> parts;

    std::span<const std::int32_t> of(std::size_t id) const {
        const Place& place = places[id];
        return std::span(parts[place.part]).subspan(place.first, place.count);
    }
};

// Throws Error(usage), which names the particle, where one has more neighbors than `most`.
template <class R>
NeighbourList neighbours_of(const Positions<R>& positions, const Settings& settings, int most,
                            int threads);

[[noreturn]] void report_overflow(std::int64_t particle, std::int64_t iteration, int most);

// Pairs of fluid that are within reach of each other now and were farther apart than `list_radius`
// when the list was made.
std::int64_t missed_pairs(const State& state, double dp, double list_radius);

}  // namespace camber::sph
