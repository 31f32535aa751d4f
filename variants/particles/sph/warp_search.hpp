// Neighbor search by warps: all lanes test the same candidates, and the lists are stored row by row.
//
// A thread that searches alone stores each neighbor in another row of the list than its warp's
// other lanes, 4 bytes per memory sector, and its loops have other lengths than theirs. Here, the
// candidates of a warp are the runs of the cells that its particles are in or next to. Each lane
// collects its hits as bits of words in shared memory. Afterwards, all lanes take their k-th hits
// together, so that the k-th row of the list is stored by whole sectors.
#pragma once

#include <cstdint>

#include "variants/particles/sph/kernels.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

inline constexpr int search_warps = 4;  // per block
// Words of hits that a lane has room for; a lane of a warp in the middle of the water uses 27.
inline constexpr int search_words = 48;

CAMBER_DEVICE int warp_minimum(int value) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = other < value ? other : value;
    }
    return value;
}

// Bits [first, end) of a word; either may be outside of [0, 32].
CAMBER_DEVICE std::uint32_t bits_between(int first, int end) {
    const std::uint32_t from = first <= 0 ? ~0u : first < 32 ? ~0u << first : 0u;
    const std::uint32_t to = end >= 32 ? ~0u : end > 0 ? (1u << end) - 1 : 0u;
    return from & to;
}

template <class Cells, int Words>
class WarpSearch {
  public:
    using HitWords = Tile<std::uint32_t, search_warps * Words, 32>;
    using HitBases = Tile<int, search_warps, Words>;
    using Real = typename Cells::Real;
    using Point = Location<Real>;

    CAMBER_DEVICE WarpSearch(const Cells& cells, HitWords& hits, HitBases& bases, int slot,
                             bool searches, const Place<Real>& own)
        : cells_(cells),
          hits_(hits),
          bases_(bases),
          lane_(static_cast<int>(threadIdx.x) % 32),
          warp_(static_cast<int>(threadIdx.x) / 32),
          slot_(slot),
          searches_(searches),
          own_{own.x, own.y, own.z},
          cell_(cells.grid.cell_of(own.x, own.y, own.z)) {}

    // Collects the hits of all lanes that search. Returns false if the candidates are too many.
    CAMBER_DEVICE bool collect() {
        const Cell& size = cells_.grid.size;
        const int row = cell_.y * size.z + cell_.z;
        unsigned waiting = __ballot_sync(all, searches_);
        while (waiting != 0) {
            const Turn turn;
            // The lanes in the same row of cells as the first waiting lane.
            const int common = __shfl_sync(all, row, __ffs(static_cast<int>(waiting)) - 1);
            const bool with = searches_ && row == common;
            waiting &= ~__ballot_sync(all, with);
            const int low = warp_minimum(with ? cell_.x : size.x) - 1;
            const int high = 1 - warp_minimum(with ? -cell_.x : 0);
            if (high - low >= 32) return false;
            if (with) first_ = words_;
            for (int around = 0; around < 9; ++around) {
                const Turn of_row;
                const Cell cell{low, common / size.z + around / 3 - 1,
                                common % size.z + around % 3 - 1};
                if (cell.y < 0 || cell.y >= size.y || cell.z < 0 || cell.z >= size.z) continue;
                if (!collect_row(cell, high, with)) return false;
            }
            if (with) end_ = words_;
        }
        __syncwarp();
        return true;
    }

    // Calls f(k, neighbor) for the k-th neighbor of each lane, for all lanes at once.
    template <class F>
    CAMBER_DEVICE int for_hits(const F& f) {
        int count = 0;
        std::uint32_t word = 0;
        int base = 0;
        bool found = true;
        while (__any_sync(all, found)) {
            const Turn turn;
            while (word == 0 && first_ < end_) {
                const Turn of_word;
                word = hits_(warp_ * Words + first_, lane_);
                base = bases_(warp_, first_);
                ++first_;
            }
            found = word != 0;
            if (!found) continue;
            f(count, base + __ffs(static_cast<int>(word)) - 1);
            word &= word - 1;
            ++count;
        }
        return count;
    }

  private:
    static constexpr unsigned all = 0xffffffffu;
    static constexpr int none = 0x7fffffff;

    // Collects hits among the particles of a row of cells, from `cell` to the one at x = `last`.
    CAMBER_DEVICE bool collect_row(const Cell& cell, int last, bool with) {
        // Each lane reads the run of one cell. Empty cells end at 0.
        const int x = cell.x + lane_;
        int first = none;
        int end = 0;
        if (x >= 0 && x < cells_.grid.size.x && x <= last) {
            const int hash = cells_.grid.hash_of({x, cell.y, cell.z});
            end = cells_.runs.end(hash);
            if (end > 0) first = cells_.runs.first(hash);
        }
        // Run of the lane's own cell and the two beside it. The runs of cells that another place
        // sent are apart from the others, and threads then search alone.
        int own_first = none;
        int own_end = 0;
        bool adjacent = true;
#pragma unroll
        for (int dx = -1; dx <= 1; ++dx) {
            const int from = (with ? cell_.x - cell.x : 1) + dx;
            const int other_first = __shfl_sync(all, first, from);
            const int other_end = __shfl_sync(all, end, from);
            if (other_first == none) continue;
            if (own_first == none)
                own_first = other_first;
            else
                adjacent = adjacent && other_first == own_end;
            own_end = other_end;
        }
        if (__any_sync(all, with && !adjacent)) return false;
        const int begin = warp_minimum(first);
        const int stop = -warp_minimum(-end);
        for (int base = begin; base < stop; base += 32) {
            const Turn turn;
            if (words_ == Words) return false;
            const std::uint32_t hits = tested(base, stop - base) &
                                       bits_between(own_first - base, own_end - base) &
                                       ~bits_between(slot_ - base, slot_ + 1 - base);
            hits_(warp_ * Words + words_, lane_) = with ? hits : 0;
            if (lane_ == 0) bases_(warp_, words_) = base;
            ++words_;
        }
        return true;
    }

    // Bits of those of up to 32 candidates that are within reach.
    CAMBER_DEVICE std::uint32_t tested(int base, int count) const {
        count = count < 32 ? count : 32;
        std::uint32_t hits = 0;
        int i = 0;
        for (; i + at_once <= count; i += at_once)
            hits |= tested_together(base + i, [](int j) { return j; }) << i;
        if (i < count)  // the last candidate is tested several times
            hits |= tested_together(base + i, [&](int j) { return i + j < count ? j : count - 1 - i; })
                    << i;
        return hits;
    }
    template <class Offset>
    CAMBER_DEVICE std::uint32_t tested_together(int first, const Offset& offset) const {
        std::uint32_t hits = 0;
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
            const Point there = cells_.listed.template point<Read::read_only>(first + offset(j));
            if (squared_distance(own_, there) < cells_.reach_2) hits |= 1u << j;
        }
        return hits;
    }

    static constexpr int at_once = 8;

    const Cells& cells_;
    HitWords& hits_;
    HitBases& bases_;
    int lane_;
    int warp_;
    int slot_;
    bool searches_;
    Point own_;
    Cell cell_;
    int words_ = 0;  // of the warp, that are in use
    int first_ = 0;  // of the lane's own words
    int end_ = 0;
};

template <int Words, class List, class Cells>
__global__ void __launch_bounds__(32 * search_warps)
    warp_search_kernel(const Cells cells, const Grid<int> ids, const List list,
                       const Grid<Fault> faults, const int iteration, const LineSlots slots) {
    using Real = typename Cells::Real;
    using Search = WarpSearch<Cells, Words>;
    __shared__ typename Search::HitWords hits;
    __shared__ typename Search::HitBases bases;
    const int slot = slots.of_thread(own_slot());
    const bool exists = slots.has(slot);
    Place<Real> own{};
    if (exists) own = cells.listed.place(slot);
    const bool searches = exists && own.density > 0;  // walls need no neighbors
    Search search(cells, hits, bases, slot, searches, own);
    const int most = list.most();
    int count = 0;
    if (search.collect()) {
        count = search.for_hits([&](int k, int neighbour) {
            if (k < most) list.store(slot, k, neighbour);
        });
    } else if (searches) {
        cells.template for_seen<Location<Real>, Read::plain>(
            slot, own, [&](int neighbour, const Location<Real>&) {
                if (count < most) list.store(slot, count, neighbour);
                ++count;
            });
    }
    if (!exists) return;
    if (count > most) report(faults, overflow, iteration, ids(0, slot));
    list.counts(0, slot) = count < most ? count : most;
}

// Builds lists by warps, in blocks of a size of its own. Threads of a warp that needs more words
// search alone.
template <int Words = search_words>
struct SearchByWarp {
    template <class List, class Cells>
    static void enqueue(Queue& queue, unsigned /*block*/, const LineSlots& slots,
                        const Cells& cells, const Grid<int>& ids, const List& list,
                        const Grid<Fault>& faults, int iteration) {
        launch(queue, "neighbours", covering_line(slots.size(), 32 * search_warps),
               warp_search_kernel<Words, List, Cells>, cells, ids, list, faults, iteration, slots);
    }
};

CAMBER_TARGET_END
