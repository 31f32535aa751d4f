// Cells for the neighbor search and their order, and the reference's neighbor search, which defines
// correct neighbor lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/base/target.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

// Index of a cell. A cell is as wide as the reach of a neighbor list, so all neighbors of a
// particle are in the 27 cells around its own.
struct Cell {
    int x = 0;
    int y = 0;
    int z = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};

// Axis with the largest stride in the order of cells. A board of particles can be divided across it
// (Rustico 2012, section 8.2, Listing 8.1).
enum class Principal { x, y, z };

CAMBER_HD inline int along(Principal axis, const Cell& cell) {
    return axis == Principal::x ? cell.x : axis == Principal::y ? cell.y : cell.z;
}

CAMBER_HD inline int hash(Principal principal, const Cell& size, const Cell& cell) {
    switch (principal) {
        case Principal::x:
            return (cell.x * size.y + cell.y) * size.z + cell.z;
        case Principal::y:
            return (cell.y * size.z + cell.z) * size.x + cell.x;
        case Principal::z:
            break;
    }
    return (cell.z * size.y + cell.y) * size.x + cell.x;
}

template <class R>
struct CellGrid {
    Cell size;
    R inverse_side = 0;  // 1/m

    CAMBER_HD int count() const { return size.x * size.y * size.z; }

    // Cell of a position. Positions outside the grid are clamped to the outermost cells: two
    // particles within reach of each other are still in adjacent cells.
    CAMBER_HD Cell cell_of(R x, R y, R z) const {
        return {index(x, size.x), index(y, size.y), index(z, size.z)};
    }
    // The principal axis is y: water is distributed most evenly along y, and rows of cells along x
    // are contiguous.
    CAMBER_HD int hash_of(const Cell& cell) const { return hash(Principal::y, size, cell); }

  private:
    CAMBER_HD int index(R position, int cells) const {
        const R scaled = position * inverse_side;
        if (!(scaled > R(0))) return 0;
        if (!(scaled < R(cells))) return cells - 1;
        const int i = static_cast<int>(scaled);
        return i < cells ? i : cells - 1;
    }
};

// Throws Error(unavailable) if the number of cells exceeds 31 bits.
template <class R>
CellGrid<R> cell_grid(const Settings& settings);

// Calls f(exists, hash) for the 27 cells around `cell` in ascending order; `exists` is false for
// cells beyond the grid.
CAMBER_EXEC_CHECK_DISABLE
template <class R, class F>
CAMBER_HD void for_cells_around(const CellGrid<R>& grid, const Cell& cell, const F& f) {
    for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell other{cell.x + dx, cell.y + dy, cell.z + dz};
                const bool exists = other.x >= 0 && other.x < grid.size.x && other.y >= 0 &&
                                    other.y < grid.size.y && other.z >= 0 && other.z < grid.size.z;
                f(exists, exists ? grid.hash_of(other) : 0);
            }
}

// Neighbor search of the reference.

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

// Particles in the order (cell, number).
struct CellOrder {
    std::vector<std::int32_t> first;  // index of each cell's first particle, and the total
    std::vector<std::int32_t> ids;
};
template <class R>
CellOrder order_of(const Positions<R>& positions, const CellGrid<R>& grid);

// Neighbors of each fluid particle, including walls, in ascending order of (cell, number).
struct NeighbourList {
    // Location of a particle's neighbors: index of the part, first entry in it, and number of
    // entries.
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

// Throws Error(usage), which names the particle, if a particle has more than `most` neighbors.
template <class R>
NeighbourList neighbours_of(const Positions<R>& positions, const Settings& settings, int most,
                            int threads);

[[noreturn]] void report_overflow(std::int64_t particle, std::int64_t iteration, int most);

// Number of pairs of fluid particles that are within reach of each other now, but were farther
// apart than `list_radius` when the list was built.
std::int64_t missed_pairs(const State& state, double dp, double list_radius);

}  // namespace camber::sph
