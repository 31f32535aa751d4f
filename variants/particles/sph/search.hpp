// Neighbor search of a particle by visiting the surrounding cells.
#pragma once

#include <cstddef>

#include "variants/particles/sph/fields.hpp"
#include "workloads/particles/sph/cells.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Faults of a run, each the least of iteration * 2^32 + number of a particle.
using Fault = unsigned long long;
inline constexpr Fault no_fault = ~0ull;
enum FaultKind { overflow, blow_up, crowded, strayed, fault_kinds };

CAMBER_DEVICE void report(const Grid<Fault>& faults, FaultKind kind, int iteration, int particle) {
    atomicMin(&faults(0, kind), static_cast<Fault>(static_cast<unsigned>(iteration)) << 32 |
                                    static_cast<Fault>(static_cast<unsigned>(particle)));
}

// Squared distance of two points.
template <class A, class B>
CAMBER_HD auto squared_distance(const A& a, const B& b) {
    const auto x = a.x - b.x;
    const auto y = a.y - b.y;
    const auto z = a.z - b.z;
    return x * x + y * y + z * z;
}

// Occupied slots: a contiguous range, or the first slots of each cell.
struct LineSlots {
    int count;
    int first = 0;

    std::size_t size() const { return static_cast<std::size_t>(count); }
    CAMBER_DEVICE int of_thread(int thread) const { return first + thread; }
    CAMBER_DEVICE bool has(int slot) const { return slot < first + count; }
};
inline constexpr int slots_per_cell = 32;
struct CellSlots {
    Grid<int> counts;

    std::size_t size() const { return static_cast<std::size_t>(slots_per_cell) * counts.columns(); }
    CAMBER_DEVICE int of_thread(int thread) const { return thread; }
    CAMBER_DEVICE bool has(int slot) const {
        const int cell = slot / slots_per_cell;
        return cell < counts.columns() && slot % slots_per_cell < counts(0, cell);
    }
};

// Runs of slots per cell in an order of all particles. `numbers`: slots in order, if the particles
// themselves are stored in another order.
struct SortedRuns {
    Grid<int> firsts;
    Grid<int> ends;

    CAMBER_DEVICE int end(int cell) const { return ends(0, cell); }
    CAMBER_DEVICE int first(int cell) const { return firsts(0, cell); }
    CAMBER_DEVICE int slot(int place) const { return place; }
};
struct NumberedRuns {
    Grid<int> firsts;
    Grid<int> ends;
    Grid<int> numbers;

    CAMBER_DEVICE int end(int cell) const { return ends(0, cell); }
    CAMBER_DEVICE int first(int cell) const { return firsts(0, cell); }
    CAMBER_DEVICE int slot(int place) const { return numbers(0, place); }
};

struct SlotRuns {
    Grid<int> counts;

    CAMBER_DEVICE int end(int cell) const { return first(cell) + counts(0, cell); }
    CAMBER_DEVICE int first(int cell) const { return slots_per_cell * cell; }
    CAMBER_DEVICE int slot(int place) const { return place; }
};

// Runs of particles per cell, with the positions that the cells were built from.
template <class FieldsType, class Runs>
struct CellRuns {
    using Fields = FieldsType;
    using Real = typename Fields::Real;
    Runs runs;
    Fields listed;
    CellGrid<Real> grid;
    Real reach_2;

    // Calls f(slot, seen) for the neighbors of a particle that was at `own`, ascending. `Seen`: a
    // Location or a Place, of when they were its neighbors.
    template <class Seen, Read read, class Own, class F>
    CAMBER_DEVICE void for_seen(int slot, const Own& own, const F& f) const {
        const auto visit = [&](bool exists, int cell) {
            const Turn of_cell;
            if (!exists) return;
            const int stop = runs.end(cell);
            for (int s = runs.first(cell); s < stop; ++s) {
                const Turn of_place;
                const int other = runs.slot(s);
                if (other == slot) continue;
                const Seen there = seen<Seen, read>(listed, other);
                if (squared_distance(own, there) < reach_2) f(other, there);
            }
        };
        for_cells_around(grid, grid.cell_of(own.x, own.y, own.z), visit);
    }
    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        using Seen = Location<Real>;
        const Seen own = listed.template point<read>(slot);
        for_seen<Seen, read>(slot, own, [&](int other, const Seen&) { f(other); });
    }
};

CAMBER_TARGET_END
