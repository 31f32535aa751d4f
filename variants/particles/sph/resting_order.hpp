// Particles stay in their slots; only their numbers are sorted by cell for the neighbor search. The
// baseline for the effect of sorting the particles themselves.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "variants/particles/sph/sorted_order.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// In the order of their numbers: that of the scene's lattices, from which water departs slowly.
struct AsNumbered {
    static std::vector<int> ids(std::size_t count) {
        std::vector<int> ids(count);
        std::iota(ids.begin(), ids.end(), 0);
        return ids;
    }
};
// In no order at all, as water that was stirred for long.
struct Shuffled {
    static std::vector<int> ids(std::size_t count) {
        std::vector<int> ids = AsNumbered::ids(count);
        std::mt19937 random(1);  // the same on every machine, as std::shuffle is not
        for (std::size_t i = count; i > 1; --i) std::swap(ids[i - 1], ids[random() % i]);
        return ids;
    }
};

// Records where cells begin and end in the sorted order, and the slots of its particles.
template <class Fields>
__global__ void number_kernel(const Grid<unsigned> sorted_keys, const Grid<int> sorted_ids,
                              const Grid<int> slots, const Fields from, const Fields listed,
                              const NumberedRuns runs) {
    const int place = own_slot();
    if (place >= sorted_ids.columns()) return;
    listed.store(place, particle_at(from, place));
    runs.numbers(0, place) = slots(0, sorted_ids(0, place));
    const int key = static_cast<int>(sorted_keys(0, place));
    mark_bounds(sorted_keys, place, key, runs.firsts, runs.ends);
}

template <class Start>
class RestingOrder {
  public:
    static constexpr bool moves = false;
    using Runs = NumberedRuns;
    using Slots = LineSlots;

    RestingOrder(Queue& queue, std::size_t count, const CellGrid<float>& grid)
        : sorting_(queue, count, grid),
          ids_(queue, count, "id"),
          sorted_ids_(queue, count, "sorted_id"),
          order_(queue, count, "order") {}

    std::vector<int> start(const State&, const PositionFields&) const {
        return Start::ids(ids_.count());
    }
    void upload(Queue& queue, const std::vector<int>& start) {
        sorting_.upload(queue);
        ids_.upload(queue, start);
    }

    template <class Fields>
    void rebuild(Queue& queue, unsigned block, const Fields& from, const Fields& /*to*/,
                 const Fields& listed, const Grid<Fault>&, int /*iteration*/) {
        sorting_.sort(queue, block, from, ids_, sorted_ids_);
        launch(queue, "number", covering_line(ids_.count(), block), number_kernel<Fields>,
               sorting_.sorted_keys(), sorted_ids_.grid(), sorting_.slots(), from, listed, runs());
    }

    const Row<int>& ids() const { return ids_; }
    LineSlots slots() const { return {static_cast<int>(ids_.count())}; }
    Runs runs() const {
        const SortedRuns sorted = sorting_.runs();
        return {sorted.firsts, sorted.ends, order_.grid()};
    }
    std::vector<ByteArea> areas() const {
        std::vector<ByteArea> areas = sorting_.areas();
        areas.push_back(sorted_ids_.area());
        areas.push_back(order_.area());
        return areas;
    }

  private:
    Sorting<RowOrder, float> sorting_;
    Row<int> ids_;
    Row<int> sorted_ids_;  // numbers by (cell, number)
    Row<int> order_;       // their slots
};

CAMBER_TARGET_END
