// Order of one device's particles: by (cell, number), with cells along the axis of the slices, so
// that the particles of a slice are contiguous.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/machine/kernel/pair_sorter.hpp"
#include "variants/particles/sph/kernels.hpp"

// Kernels by which a device finds its own particles and sorts them by (cell, number), with cells
// along the axis of the slices.
CAMBER_WORKLOAD_BEGIN(sph)

// Slices and slots that a device needs to claim particles after they have moved.
struct SliceClaim {
    Principal axis;
    Rows own;         // slices
    Rows reach;       // own and neighboring slices, which its particles may have reached
    Rows own_slots;   // slots of its particles before they moved
    int lower_end;    // end of the slots that its lower neighbor also stores
    int upper_first;  // first of the slots that its upper neighbor also stores

    CAMBER_DEVICE bool has(int slice) const { return slice >= own.first && slice < own.end; }
    // True if no device claims the particle: it moved to a slice whose device did not store it.
    CAMBER_DEVICE bool loses(int slot, int slice) const {
        if (slot < own_slots.first || slot >= own_slots.end || has(slice)) return false;
        const bool is_held = slice < own.first ? slot < lower_end : slot >= upper_first;
        return !is_held || slice < reach.first || slice >= reach.end;
    }
};

// For each particle that a device stores, writes its number and slot in sequence and, by slot, its
// cell in slice order, or the total number of cells if the slice belongs to another device.
template <class Fields>
__global__ void claim_kernel(const Fields fields, const LineSlots slots, const Grid<int> ids,
                             const SliceClaim claim, const CellGrid<typename Fields::Real> grid,
                             const Grid<unsigned> numbers, const Grid<unsigned> cells,
                             const Grid<int> places, const Grid<Fault> faults,
                             const int iteration) {
    const int i = own_slot();
    const int slot = slots.of_thread(i);
    if (!slots.has(slot)) return;
    const Location<typename Fields::Real> p = fields.point(slot);
    const Cell cell = grid.cell_of(p.x, p.y, p.z);
    const int slice = along(claim.axis, cell);
    const int id = ids(0, slot);
    numbers(0, i) = static_cast<unsigned>(id);
    places(0, i) = slot;
    cells(0, slot) =
        static_cast<unsigned>(claim.has(slice) ? hash(claim.axis, grid.size, cell) : grid.count());
    if (claim.loses(slot, slice)) report(faults, strayed, iteration, id);
}

// Gathers the cells in the order of the particles' numbers.
inline __global__ void gather_cells_kernel(const Grid<unsigned> cells, const Grid<int> by_number,
                                           const LineSlots slots, const Grid<unsigned> gathered) {
    const int i = slots.of_thread(own_slot());
    if (!slots.has(i)) return;
    gathered(0, i) = cells(0, by_number(0, i));
}

// Records the bounds of each of the device's slices in the sorted order: two numbers per slice.
inline __global__ void slice_bounds_kernel(const Grid<unsigned> sorted_cells, const LineSlots slots,
                                           const int cells, const int cells_per_slice,
                                           const Grid<int> bounds) {
    const int i = slots.of_thread(own_slot());
    if (!slots.has(i)) return;
    const auto slice_at = [&](int place) {
        return static_cast<int>(sorted_cells(0, place)) / cells_per_slice;
    };
    const int slice = slice_at(i);
    if (slice >= cells / cells_per_slice) return;
    if (i == slots.first || slice_at(i - 1) != slice) bounds(0, 2 * slice) = i;
    if (i == slots.first + slots.count - 1 || slice_at(i + 1) != slice)
        bounds(0, 2 * slice + 1) = i + 1;
}

// Moves the device's own particles into order, from slot `slots.first` on.
template <class Fields>
__global__ void arrange_kernel(const Fields from, const Grid<int> ids, const Grid<int> order,
                               const Fields to, const Grid<int> new_ids, const LineSlots slots) {
    const int i = own_slot();
    if (i >= slots.count) return;
    const int before = order(0, i);
    const int slot = slots.of_thread(i);
    to.store(slot, particle_at(from, before));
    new_ids(0, slot) = ids(0, before);
}

// Marks where cells begin and end among all particles of a device, and records their
// positions.
template <class Fields>
__global__ void mark_cells_kernel(const Fields fields, const LineSlots slots, const Fields listed,
                                  const SortedRuns runs,
                                  const CellGrid<typename Fields::Real> grid) {
    const int slot = slots.of_thread(own_slot());
    if (!slots.has(slot)) return;
    const auto cell_at = [&](int at) {
        const Location<typename Fields::Real> p = fields.point(at);
        return grid.hash_of(grid.cell_of(p.x, p.y, p.z));
    };
    const int cell = cell_at(slot);
    if (slot == slots.first || cell_at(slot - 1) != cell) runs.firsts(0, cell) = slot;
    if (slot == slots.first + slots.count - 1 || cell_at(slot + 1) != cell)
        runs.ends(0, cell) = slot + 1;
    listed.store(slot, particle_at(fields, slot));
}

CAMBER_TARGET_END

// Order of the particles of one device: by (cell, number), with cells along the axis of the slices,
// so that the particles of a slice are contiguous.
CAMBER_WORKLOAD_BEGIN(sph)

// Launches one thread per slot, if there are any slots.
template <class... Formal, class... Actual>
void launch_over(const LineSlots& slots, Queue& queue, unsigned block, const char* name,
                 void (*kernel)(Formal...), const Actual&... arguments) {
    if (slots.count > 0)
        launch(queue, name, covering_line(slots.size(), block), kernel, arguments...);
}

template <class R>
class SliceOrder {
  public:
    // `capacity` is the maximum number of particles of the device; `particles` is the number over
    // all devices.
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
        // Sorts by number first: the sort by cells preserves this order.
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
    Row<int> bounds_;  // two per slice
    Row<int> firsts_;  // of each cell
    Row<int> ends_;
    PairSorter sorter_;
};

CAMBER_TARGET_END
