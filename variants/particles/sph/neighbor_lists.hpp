// Neighbor search of a particle by visiting the surrounding cells, and neighbor lists in two
// layouts.
#pragma once

#include <cstddef>

#include "variants/particles/sph/fields.hpp"
#include "workloads/particles/sph/neighbors.hpp"

// Neighbor search of a particle by visiting the surrounding cells.
CAMBER_WORKLOAD_BEGIN(sph)

// Fault of a run, encoded so that the minimum is the first fault: iteration * 2^32 + particle
// number.
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

// Runs of slots per cell in a sorted order. `numbers` contains the slots in that order if the
// particles themselves are stored in another order.
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

// Runs of particles per cell, with the positions from which the cells were built.
template <class FieldsType, class Runs>
struct CellRuns {
    using Fields = FieldsType;
    using Real = typename Fields::Real;
    Runs runs;
    Fields listed;
    CellGrid<Real> grid;
    Real reach_2;

    // Calls f(slot, seen) in ascending order for the neighbors of a particle that was at `own`.
    // `Seen` is a Location or a Place, at the time when the cells were built.
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

// Neighbor lists built by visiting the cells, in two layouts.
CAMBER_WORKLOAD_BEGIN(sph)

// `Axes` defines the meaning of the rows of `entries`.
template <class Axes>
struct NeighbourGrid {
    Grid<int> entries;
    Grid<int> counts;

    // Properties of a neighbor that decide whether a particle's list contains it, and that
    // decision.
    template <class R>
    using Seen = Location<R>;
    template <class R>
    CAMBER_DEVICE static bool keeps(int /*slot*/, int /*other*/, const Location<R>&) {
        return true;
    }
    // List entry for neighbor `other`, which was at `there`.
    template <class R, class Seen>
    CAMBER_DEVICE static int entry(const CellGrid<R>&, const Place<R>& /*own*/,
                                   const Seen& /*there*/, int other) {
        return other;
    }
    static Layout layout(std::size_t particles, int most) {
        const auto count = static_cast<int>(particles);
        return Layout::make(Axes::column(count, most), Axes::row(count, most), 0, 128, sizeof(int));
    }
    CAMBER_DEVICE int most() const { return Axes::neighbours(entries); }
    CAMBER_DEVICE void store(int slot, int k, int neighbour) const {
        entries(Axes::row(slot, k), Axes::column(slot, k)) = neighbour;
    }
    template <Read read>
    CAMBER_DEVICE int load(int slot, int k) const {
        if constexpr (read == Read::read_only)
            return entries.read_only(Axes::row(slot, k), Axes::column(slot, k));
        return entries(Axes::row(slot, k), Axes::column(slot, k));
    }
    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        const int count = counts(0, slot);
        // The next entry is loaded before the current one is used, which hides half of the latency
        // of a list's entry and the particle that it names.
        int next = count > 0 ? load<read>(slot, 0) : 0;
        for (int k = 0; k < count; ++k) {
            const int neighbour = next;
            if (k + 1 < count) next = load<read>(slot, k + 1);
            f(neighbour);
        }
    }
};

// The k-th neighbors of consecutive particles are contiguous: a warp loads them in one request.
struct RowPerNeighbour {
    CAMBER_HD static int row(int /*slot*/, int k) { return k; }
    CAMBER_HD static int column(int slot, int /*k*/) { return slot; }
    CAMBER_DEVICE static int neighbours(const Grid<int>& entries) { return entries.rows(); }
};
using InterleavedList = NeighbourGrid<RowPerNeighbour>;

// All neighbors of a particle are contiguous: a warp's requests are 512 bytes apart, but its cache
// lines serve the next 31 iterations.
struct RowPerParticle {
    CAMBER_HD static int row(int slot, int /*k*/) { return slot; }
    CAMBER_HD static int column(int /*slot*/, int k) { return k; }
    CAMBER_DEVICE static int neighbours(const Grid<int>& entries) { return entries.columns(); }
};
using ParticleList = NeighbourGrid<RowPerParticle>;

CAMBER_TARGET_END
