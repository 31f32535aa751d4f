// Sorts particles by cell, and by number within a cell, before a new list is built.
//
// Neighbors are visited in the order of the reference's cells for any memory order, so that sums
// have the same bits.
#pragma once

#include <bit>
#include <numeric>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/machine/kernel/pair_sorter.hpp"
#include "variants/particles/sph/kernels.hpp"
#include "workloads/particles/sph/state.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Order of cells in which rows along x are contiguous (Rustico 2012, section 8.2).
struct RowOrder {
    template <class R>
    CAMBER_DEVICE static unsigned key(const CellGrid<R>& grid, const Cell& cell) {
        return static_cast<unsigned>(grid.hash_of(cell));
    }
    template <class R>
    static int bits(const CellGrid<R>& grid) {
        return std::bit_width(static_cast<unsigned>(grid.count() - 1));
    }
};

// Memory of an order that results from a sort by `Key`.
template <class Key, class R>
class Sorting {
  public:
    Sorting(Queue& queue, std::size_t count, const CellGrid<R>& grid)
        : grid_(grid),
          numbers_(queue, count, "number"),
          slots_(queue, count, "slot"),
          keys_(queue, count, "key"),
          sorted_keys_(queue, count, "sorted_key"),
          first_(queue, static_cast<std::size_t>(grid.count()), "first"),
          end_(queue, static_cast<std::size_t>(grid.count()), "end"),
          sorter_(queue, count) {}

    void upload(Queue& queue) {
        std::vector<int> numbers(numbers_.count());
        std::iota(numbers.begin(), numbers.end(), 0);
        numbers_.upload(queue, numbers);
    }

    // Sorts the particle numbers into `sorted`. `ids` contains the particle in each slot.
    template <class Fields>
    void sort(Queue& queue, unsigned block, const Fields& fields, const Row<int>& ids,
              const Row<int>& sorted) {
        launch(queue, "hash", covering_line(ids.count(), block), hash_kernel<Key, Fields>, fields,
               ids.grid(), keys_.grid(), slots_.grid(), grid_);
        sorter_.sort(keys_.data(), numbers_.data(), sorted_keys_.data(), sorted.data(),
                     Key::bits(grid_));
        constexpr int none = 0;
        for (const Row<int>* bounds : {&first_, &end_})
            queue.fill(bounds->data(), bounds->count(), std::as_bytes(std::span(&none, 1)));
    }

    SortedRuns runs() const { return {first_.grid(), end_.grid()}; }
    const CellGrid<R>& grid() const { return grid_; }
    Grid<unsigned> sorted_keys() const { return sorted_keys_.grid(); }
    Grid<int> slots() const { return slots_.grid(); }  // slot of each particle before the sort
    std::vector<ByteArea> areas() const {
        return {slots_.area(), keys_.area(), sorted_keys_.area(), first_.area(), end_.area()};
    }

  private:
    CellGrid<R> grid_;
    Row<int> numbers_;  // 0, 1, 2 ...
    Row<int> slots_;
    Row<unsigned> keys_;
    Row<unsigned> sorted_keys_;
    Row<int> first_;  // of each cell
    Row<int> end_;
    PairSorter sorter_;
};

template <class Key, class R>
class SortedOrder {
  public:
    static constexpr bool moves = true;
    using Runs = SortedRuns;
    using Slots = LineSlots;

    SortedOrder(Queue& queue, std::size_t count, const CellGrid<R>& grid)
        : sorting_(queue, count, grid), ids_(queue, count, "id") {}

    // Particle numbers by slot before the first list is built.
    std::vector<int> start(const State&, const PositionFields&) const {
        std::vector<int> ids(ids_.count());
        std::iota(ids.begin(), ids.end(), 0);
        return ids;
    }
    void upload(Queue& queue, const std::vector<int>& start) {
        sorting_.upload(queue);
        ids_.upload(queue, start);
    }

    // Copies particles from their current slots to `to`, and their positions to `listed`.
    template <class Fields>
    void rebuild(Queue& queue, unsigned block, const Fields& from, const Fields& to,
                 const Fields& listed, const Grid<Fault>&, int /*iteration*/) {
        sorting_.sort(queue, block, from, ids_, ids_);
        launch(queue, "reorder", covering_line(ids_.count(), block), reorder_kernel<Fields>,
               sorting_.sorted_keys(), ids_.grid(), sorting_.slots(), from, to, listed,
               sorting_.runs(), sorting_.grid());
    }

    const Row<int>& ids() const { return ids_; }  // particle in each slot
    Runs runs() const { return sorting_.runs(); }
    LineSlots slots() const { return {static_cast<int>(ids_.count())}; }
    std::vector<ByteArea> areas() const { return sorting_.areas(); }

  private:
    Sorting<Key, R> sorting_;
    Row<int> ids_;
};

CAMBER_TARGET_END
