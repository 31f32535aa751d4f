// Neighbor lists built by visiting the cells, in two layouts.
#pragma once

#include <cstddef>

#include "variants/particles/sph/search.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// `Axes`: what the rows of `entries` are.
template <class Axes>
struct NeighbourGrid {
    Grid<int> entries;
    Grid<int> counts;

    // Data of a neighbor that decide whether a particle's list contains it, and that decision.
    template <class R>
    using Seen = Location<R>;
    template <class R>
    CAMBER_DEVICE static bool keeps(int /*slot*/, int /*other*/, const Location<R>&) {
        return true;
    }
    // List entry for the neighbor `other`, which was seen `there`.
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
        for (int k = 0; k < count; ++k) f(load<read>(slot, k));
    }
};

// The k-th neighbors of consecutive particles side by side: a warp loads them in one request.
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
