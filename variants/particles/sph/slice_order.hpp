// Order of the particles of one device: by (cell, number), with cells along the axis of the slices,
// so that the particles of a slice are contiguous.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/machine/kernel/pair_sorter.hpp"
#include "variants/particles/sph/slice_kernels.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// A launch of one thread for each slot; none where there are none.
template <class... Formal, class... Actual>
void launch_over(const LineSlots& slots, Queue& queue, unsigned block, const char* name,
                 void (*kernel)(Formal...), const Actual&... arguments) {
    if (slots.count > 0)
        launch(queue, name, covering_line(slots.size(), block), kernel, arguments...);
}

template <class R>
class SliceOrder {
  public:
    // `capacity`: maximum number of particles of the device; `particles`: of all devices.
    SliceOrder(Queue& queue, std::size_t capacity, std::size_t particles, const CellGrid<R>& grid,
               Principal axis)
        : grid_(grid),
          slices_(along(axis, grid.size)),
          number_bits_(std::bit_width(particles - 1)),
          numbers_(queue, capacity, "number"),
          cells_(queue, capacity, "cell"),
          sorted_(queue, capacity, "sorted_cell"),
          slots_(queue, capacity, "slot"),
          by_number_(queue, capacity, "by_number"),
          bounds_(queue, 2 * static_cast<std::size_t>(slices_), "bound"),
          firsts_(queue, static_cast<std::size_t>(grid.count()), "first"),
          ends_(queue, static_cast<std::size_t>(grid.count()), "end"),
          sorter_(queue, capacity) {}

    // Enqueues sorting of the particles in `held` that the device claims.
    template <class Fields>
    void sort(Queue& queue, unsigned block, const Fields& fields, const LineSlots& held,
              const Row<int>& ids, const SliceClaim& claim, const Grid<Fault>& faults,
              int iteration) {
        clear(queue, bounds_);
        if (held.count == 0) return;
        const LineSlots in_order{held.count};
        launch_over(held, queue, block, "claim", claim_kernel<Fields>, fields, held, ids.grid(),
                    claim, grid_, numbers_.grid(), cells_.grid(), slots_.grid(), faults, iteration);
        // Numbers first: a sort by cells keeps their order.
        sorter_.sort(numbers_.data(), slots_.data(), sorted_.data(), by_number_.data(),
                     number_bits_, held.size());
        launch_over(held, queue, block, "gather_cells", gather_cells_kernel, cells_.grid(),
                    by_number_.grid(), in_order, numbers_.grid());
        sorter_.sort(numbers_.data(), by_number_.data(), sorted_.data(), slots_.data(),
                     std::bit_width(static_cast<unsigned>(grid_.count())), held.size());
        launch_over(held, queue, block, "slice_bounds", slice_bounds_kernel, sorted_.grid(),
                    in_order, grid_.count(), grid_.count() / slices_, bounds_.grid());
    }
    // Number of particles in each own slice, 0 in all others. Waits for the queue.
    std::vector<std::int64_t> counts(Queue& queue) const {
        const std::vector<int> bounds = bounds_.downloaded(queue);
        std::vector<std::int64_t> counts;
        for (std::size_t slice = 0; slice < bounds.size() / 2; ++slice)
            counts.push_back(bounds[2 * slice + 1] - bounds[2 * slice]);
        return counts;
    }
    // Previous slots of the claimed particles, in order.
    Grid<int> slots() const { return slots_.grid(); }

    // Enqueues recording of cell bounds among all particles of the device, and of positions.
    template <class Fields>
    void mark(Queue& queue, unsigned block, const Fields& fields, const LineSlots& held,
              const Fields& listed) {
        for (const Row<int>* bounds : {&firsts_, &ends_}) clear(queue, *bounds);
        launch_over(held, queue, block, "mark_cells", mark_cells_kernel<Fields>, fields, held,
                    listed, runs(), grid_);
    }
    SortedRuns runs() const { return {firsts_.grid(), ends_.grid()}; }
    const CellGrid<R>& grid() const { return grid_; }
    std::vector<ByteArea> areas() const {
        return {numbers_.area(),   cells_.area(),  sorted_.area(), slots_.area(),
                by_number_.area(), bounds_.area(), firsts_.area(), ends_.area()};
    }

  private:
    static void clear(Queue& queue, const Row<int>& row) {
        constexpr int none = 0;
        queue.fill(row.data(), row.count(), std::as_bytes(std::span(&none, 1)));
    }

    CellGrid<R> grid_;
    int slices_;
    int number_bits_;
    Row<unsigned> numbers_;
    Row<unsigned> cells_;
    Row<unsigned> sorted_;
    Row<int> slots_;
    Row<int> by_number_;
    Row<int> bounds_;  // two for each slice
    Row<int> firsts_;  // of each cell
    Row<int> ends_;
    PairSorter sorter_;
};

CAMBER_TARGET_END
