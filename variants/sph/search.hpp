// How a particle's neighbours are come by: from a list, in either of two layouts, or by a visit to
// the cells around it.
#pragma once

#include <cstddef>

#include "variants/sph/fields.hpp"
#include "workloads/sph/cells.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Faults of a run, each the least of iteration * 2^32 + number of a particle.
using Fault = unsigned long long;
inline constexpr Fault no_fault = ~0ull;
enum FaultKind { overflow = 0, blow_up = 1, fault_kinds = 2 };

CAMBER_DEVICE void report(const Grid<Fault>& faults, FaultKind kind, int iteration, int particle) {
    atomicMin(&faults(0, kind), static_cast<Fault>(static_cast<unsigned>(iteration)) << 32 |
                                    static_cast<Fault>(static_cast<unsigned>(particle)));
}

CAMBER_HD inline float squared_distance(const Place& a, const Place& b) {
    const float x = a.x - b.x;
    const float y = a.y - b.y;
    const float z = a.z - b.z;
    return x * x + y * y + z * z;
}

// Where the particles of each cell lie; the positions that the cells were made of.
template <class Fields>
struct CellRuns {
    Grid<int> first;
    Grid<int> end;
    Fields listed;
    CellGrid<float> grid;
    float reach_2;

    // Calls f(slot) for the neighbours of a particle, ascending.
    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        const Place own = listed.template place<read>(slot);
        const auto visit = [&](bool exists, int cell) {
            if (!exists) return;
            const int stop = end(0, cell);
            for (int other = first(0, cell); other < stop; ++other) {
                if (other == slot) continue;
                if (squared_distance(own, listed.template place<read>(other)) < reach_2) f(other);
            }
        };
        for_cells_around(grid, grid.cell_of(own.x, own.y, own.z), visit);
    }
};

// The k-th neighbours of consecutive particles side by side: a warp loads them in one request.
struct InterleavedList {
    Grid<int> entries;
    Grid<int> counts;

    static Layout layout(std::size_t particles) {
        return Layout::make(static_cast<int>(particles), most_neighbours, 0, 128, sizeof(int));
    }
    CAMBER_DEVICE void store(int slot, int k, int neighbour) const { entries(k, slot) = neighbour; }
    template <Read read>
    CAMBER_DEVICE int load(int slot, int k) const {
        if constexpr (read == Read::read_only) return entries.read_only(k, slot);
        return entries(k, slot);
    }
    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        const int count = counts(0, slot);
        for (int k = 0; k < count; ++k) f(load<read>(slot, k));
    }
};

// All neighbours of a particle side by side: a warp's requests lie 512 bytes apart, but its cache
// lines serve the next 31 iterations.
struct ParticleList {
    Grid<int> entries;
    Grid<int> counts;

    static Layout layout(std::size_t particles) {
        return Layout::make(most_neighbours, static_cast<int>(particles), 0, 128, sizeof(int));
    }
    CAMBER_DEVICE void store(int slot, int k, int neighbour) const { entries(slot, k) = neighbour; }
    template <Read read>
    CAMBER_DEVICE int load(int slot, int k) const {
        if constexpr (read == Read::read_only) return entries.read_only(slot, k);
        return entries(slot, k);
    }
    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        const int count = counts(0, slot);
        for (int k = 0; k < count; ++k) f(load<read>(slot, k));
    }
};

CAMBER_TARGET_END
