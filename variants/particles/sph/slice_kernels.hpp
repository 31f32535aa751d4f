// Kernels by which a device finds its own particles and sorts them by (cell, number), with cells
// along the axis of the slices.
#pragma once

#include "variants/particles/sph/kernels.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Slices and slots that a device must know after its particles have moved.
struct SliceClaim {
    Principal axis;
    Rows own;         // slices
    Rows reach;       // its slices and its neighbors': where its particles may have come to
    Rows own_slots;   // of its particles before they moved
    int lower_end;    // of those that its lower neighbor holds too
    int upper_first;  // of those that its upper neighbor holds too

    CAMBER_DEVICE bool has(int slice) const { return slice >= own.first && slice < own.end; }
    // True if no device claims the particle: it left for a slice whose device did not hold it.
    CAMBER_DEVICE bool loses(int slot, int slice) const {
        if (slot < own_slots.first || slot >= own_slots.end || has(slice)) return false;
        const bool is_held = slice < own.first ? slot < lower_end : slot >= upper_first;
        return !is_held || slice < reach.first || slice >= reach.end;
    }
};

// For each particle that a device holds: its number and slot in sequence, and by slot its cell in
// slice order, or the number of cells if the slice belongs to another device.
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

// The cells in the order of the particles' numbers.
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
