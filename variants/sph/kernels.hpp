// The kernels of an iteration (Rustico 2012, section 7.3.1, Figure 8.6), a thread per particle.
// They add in the reference's order: particles are sorted by (cell, number), and neighbours come
// ascending.
#pragma once

#include "variants/sph/search.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

CAMBER_DEVICE int own_slot() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

// The cell of each particle, by number, so that a stable sort leaves the numbers of a cell in
// order; and where the particle is now.
template <class Fields>
__global__ void hash_kernel(const Fields fields, const Grid<int> ids, const Grid<unsigned> keys,
                            const Grid<int> slots, const CellGrid<float> grid) {
    const int slot = own_slot();
    if (slot >= ids.columns()) return;
    const Place p = fields.place(slot);
    const int id = ids(0, slot);
    keys(0, id) = static_cast<unsigned>(grid.hash_of(grid.cell_of(p.x, p.y, p.z)));
    slots(0, id) = slot;
}

// Gathers particles into the order of the sorted numbers, and marks where cells begin and end.
template <class Fields>
__global__ void reorder_kernel(const Grid<unsigned> sorted_keys, const Grid<int> ids,
                               const Grid<int> slots, const Fields from, const Fields to,
                               const Fields listed, const Grid<int> first, const Grid<int> end) {
    const int slot = own_slot();
    if (slot >= ids.columns()) return;
    const int before = slots(0, ids(0, slot));
    const Place p = from.place(before);
    const Motion m = from.motion(before);
    const Particle<float> particle{p.x, p.y, p.z, p.density, m.vx, m.vy, m.vz, m.pressure};
    to.store(slot, particle);
    listed.store(slot, particle);
    const int key = static_cast<int>(sorted_keys(0, slot));
    if (slot == 0 || static_cast<int>(sorted_keys(0, slot - 1)) != key) first(0, key) = slot;
    if (slot == ids.columns() - 1 || static_cast<int>(sorted_keys(0, slot + 1)) != key)
        end(0, key) = slot + 1;
}

template <class List, class Fields>
__global__ void neighbours_kernel(const CellRuns<Fields> cells, const Grid<int> ids,
                                  const List list, const Grid<Fault> faults, const int iteration) {
    const int slot = own_slot();
    if (slot >= ids.columns()) return;
    int count = 0;
    if (cells.listed.place(slot).density > 0)  // walls rest: nobody asks for their neighbours
        cells.template for_neighbours<Read::plain>(slot, [&](int other) {
            if (count < most_neighbours) list.store(slot, count, other);
            ++count;
        });
    if (count > most_neighbours) {
        report(faults, overflow, iteration, ids(0, slot));
        count = most_neighbours;
    }
    list.counts(0, slot) = count;
}

// What acts on each particle, and the step that it allows: in the second of an iteration's two
// evaluations, the shorter one of both.
template <Read read, class Neighbours, class Fields>
__global__ void forces_kernel(const Fields fields, const Neighbours neighbours,
                              const typename Fields::Forces forces, const Grid<float> limits,
                              const bool second, const Constants<float> k) {
    const int slot = own_slot();
    if (slot >= limits.columns()) return;
    const Place p = fields.place(slot);
    if (!(p.density > 0)) {
        forces.store(slot, {});
        if (!second) limits(0, slot) = 3.402823466e+38f;
        return;
    }
    const Motion m = fields.motion(slot);
    ForceSum<float> sum(k, {p.x, p.y, p.z, p.density, m.vx, m.vy, m.vz, m.pressure});
    neighbours.template for_neighbours<read>(slot, [&](int other) {
        // Both at once: the second one does not wait for the first.
        const Place place = fields.template place<read>(other);
        const Motion motion = fields.template motion<read>(other);
        sum.add(k, place.x, place.y, place.z, place.density, [&] { return motion; });
    });
    const Force<float> force = sum.total(k);
    forces.store(slot, force);
    float limit = step_limit(k, p.density, force);
    if (second) {
        const float earlier = limits(0, slot);
        limit = limit < earlier ? limit : earlier;
    }
    limits(0, slot) = limit;
}

template <class Fields>
CAMBER_DEVICE Particle<float> particle_at(const Fields& fields, int slot) {
    const Place p = fields.place(slot);
    const Motion m = fields.motion(slot);
    return {p.x, p.y, p.z, p.density, m.vx, m.vy, m.vz, m.pressure};
}

template <class Fields>
__global__ void predictor_kernel(const Fields now, const typename Fields::Forces forces,
                                 const Grid<float> step, const Fields ahead,
                                 const Constants<float> k, const int count) {
    const int slot = own_slot();
    if (slot >= count) return;
    const float dt = step(0, 0);
    ahead.store(slot, predicted(k, particle_at(now, slot), forces.load(slot), dt));
}

// `to` may be `now`: each thread reads and writes its own particle.
template <class Fields>
__global__ void corrector_kernel(const Fields now, const typename Fields::Forces forces,
                                 const Grid<float> step, const Fields to, const Grid<int> ids,
                                 const Grid<Fault> faults, const int iteration,
                                 const Constants<float> k) {
    const int slot = own_slot();
    if (slot >= ids.columns()) return;
    const float dt = step(0, 0);
    const Particle<float> p = corrected(k, particle_at(now, slot), forces.load(slot), dt);
    to.store(slot, p);
    if (has_blown_up(k, p, dt)) report(faults, blow_up, iteration, ids(0, slot));
}

// The length of the next step, and the time so far. A thread.
template <class R>
__global__ void clock_kernel(const Grid<R> least, const Grid<R> step, const Grid<double> time,
                             const Constants<R> k) {
    const double so_far = time(0, 0);
    const R dt = step(0, 0);
    time(0, 0) = so_far + static_cast<double>(dt);
    const R limit = least(0, 0);
    step(0, 0) = step_of(k, limit);
}

CAMBER_TARGET_END
