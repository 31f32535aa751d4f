// Kernels of an iteration (Rustico 2012, section 7.3.1, Figure 8.6), with one thread per particle.
// They add in the reference's order: particles are sorted by (cell, number), and neighbors are
// visited in ascending order.
#pragma once

#include "variants/particles/sph/minimum.hpp"
#include "variants/particles/sph/neighbor_lists.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

CAMBER_DEVICE int own_slot() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

inline LaunchShape covering_line(std::size_t threads, unsigned block) {
    return {{static_cast<unsigned>((threads + block - 1) / block)}, {block}};
}

template <class Fields>
CAMBER_DEVICE Particle<typename Fields::Real> particle_at(const Fields& fields, int slot) {
    const Place<typename Fields::Real> p = fields.place(slot);
    const Motion<typename Fields::Real> m = fields.motion(slot);
    return {p.x, p.y, p.z, p.density, m.vx, m.vy, m.vz, m.pressure};
}

// Computes the cell of each particle, indexed by number, so that a stable sort preserves the order
// of numbers within a cell, and the particle's current slot.
template <class Key, class Fields>
__global__ void hash_kernel(const Fields fields, const Grid<int> ids, const Grid<unsigned> keys,
                            const Grid<int> slots, const CellGrid<typename Fields::Real> grid) {
    const int slot = own_slot();
    if (slot >= ids.columns()) return;
    const Location<typename Fields::Real> p = fields.point(slot);
    const int id = ids(0, slot);
    keys(0, id) = Key::key(grid, grid.cell_of(p.x, p.y, p.z));
    slots(0, id) = slot;
}

// Marks the beginning or end of a cell if it is at index `place` of the sorted order.
CAMBER_DEVICE void mark_bounds(const Grid<unsigned>& sorted_keys, int place, int cell,
                               const Grid<int>& first, const Grid<int>& end) {
    const unsigned key = sorted_keys(0, place);
    if (place == 0 || sorted_keys(0, place - 1) != key) first(0, cell) = place;
    if (place == sorted_keys.columns() - 1 || sorted_keys(0, place + 1) != key)
        end(0, cell) = place + 1;
}

// Gathers particles into the order of the sorted numbers, and marks where cells begin and end.
template <class Fields>
__global__ void reorder_kernel(const Grid<unsigned> sorted_keys, const Grid<int> ids,
                               const Grid<int> slots, const Fields from, const Fields to,
                               const Fields listed, const SortedRuns runs,
                               const CellGrid<typename Fields::Real> grid) {
    const int slot = own_slot();
    if (slot >= ids.columns()) return;
    const int before = slots(0, ids(0, slot));
    const Particle<typename Fields::Real> particle = particle_at(from, before);
    to.store(slot, particle);
    listed.store(slot, particle);
    const int cell = grid.hash_of(grid.cell_of(particle.x, particle.y, particle.z));
    mark_bounds(sorted_keys, slot, cell, runs.firsts, runs.ends);
}

template <class List, class Cells, class Slots>
__global__ void neighbours_kernel(const Cells cells, const Grid<int> ids, const List list,
                                  const Grid<Fault> faults, const int iteration,
                                  const Slots slots) {
    using Real = typename Cells::Real;
    using Seen = typename List::template Seen<Real>;
    const int slot = slots.of_thread(own_slot());
    if (!slots.has(slot)) return;
    const int most = list.most();
    int count = 0;
    int kept = 0;
    const Place<Real> own = cells.listed.place(slot);
    if (own.density > 0)  // walls are at rest and need no neighbors
        cells.template for_seen<Seen, Read::plain>(slot, own, [&](int other, const Seen& there) {
            ++count;
            if (!List::keeps(slot, other, there)) return;
            if (kept < most) list.store(slot, kept, List::entry(cells.grid, own, there, other));
            ++kept;
        });
    if (count > most) report(faults, overflow, iteration, ids(0, slot));
    list.counts(0, slot) = kept < most ? kept : most;
}

// Builds lists with one thread per particle.
struct SearchByThread {
    template <class List, class Cells, class Slots>
    static void enqueue(Queue& queue, unsigned block, const Slots& slots, const Cells& cells,
                        const Grid<int>& ids, const List& list, const Grid<Fault>& faults,
                        int iteration) {
        launch(queue, "neighbours", covering_line(slots.size(), block),
               neighbours_kernel<List, Cells, Slots>, cells, ids, list, faults, iteration, slots);
    }
};

template <class R>
struct Evaluated {
    Force<R> force;
    bool is_fluid = false;
    R limit = longest_step<R>;
};

// Force on a particle, and the time step that it allows.
template <Read read, Sums sums, class Fields, class Neighbours>
CAMBER_DEVICE Evaluated<typename Fields::Real> evaluated(
    const Fields& fields, const Neighbours& neighbours, int slot,
    const Constants<typename Fields::Real>& k) {
    using Real = typename Fields::Real;
    Evaluated<Real> result;
    const Place<Real> p = fields.place(slot);
    result.is_fluid = p.density > 0;
    if (!result.is_fluid) return result;
    const Motion<Real> m = fields.motion(slot);
    ForceSum<Real, sums> sum(k, {p.x, p.y, p.z, p.density, m.vx, m.vy, m.vz, m.pressure});
    neighbours.template for_neighbours<read>(slot, [&](int other) {
        // Both loads are issued at once: the second does not wait for the first.
        const Place<Real> place = fields.template place<read>(other);
        const Motion<Real> motion = fields.template motion<read>(other);
        sum.add(k, place.x, place.y, place.z, place.density, [&] { return motion; });
    });
    result.force = sum.total(k);
    result.limit = step_limit(k, p.density, result.force);
    return result;
}

// One thread's part in the evaluation of all forces.
template <Read read, Sums sums, class Neighbours, class Fields, class Limits, class Slots>
CAMBER_DEVICE void compute_forces(const Fields& fields, const Neighbours& neighbours,
                                  const typename Fields::Forces& forces, const Limits& limits,
                                  const Slots& slots, const Constants<typename Fields::Real>& k) {
    const int slot = slots.of_thread(own_slot());
    const bool exists = slots.has(slot);
    Evaluated<typename Fields::Real> own;
    if (exists) {
        own = evaluated<read, sums>(fields, neighbours, slot, k);
        forces.store(slot, own.force);
    }
    limits.take(slot, exists, own.is_fluid, own.limit);
}

template <Read read, Sums sums, class Neighbours, class Fields, class Limits, class Slots>
__global__ void forces_kernel(const Fields fields, const Neighbours neighbours,
                              const typename Fields::Forces forces, const Limits limits,
                              const Slots slots, const Constants<typename Fields::Real> k) {
    compute_forces<read, sums>(fields, neighbours, forces, limits, slots, k);
}

// Evaluates forces with one thread per particle.
template <Sums sums>
struct ByParticle {
    template <Read read, class Fields, class Neighbours, class Limits, class Slots>
    static void enqueue(Queue& queue, unsigned block, const Slots& slots, const Fields& fields,
                        const Neighbours& neighbours, const typename Fields::ForceStore& forces,
                        const Limits& limits, const Constants<typename Fields::Real>& k) {
        launch(queue, "forces", covering_line(slots.size(), block),
               forces_kernel<read, sums, Neighbours, Fields, Limits, Slots>, fields, neighbours,
               forces.forces(), limits, slots, k);
    }
};

// True if each thread handles one particle, so that a launch may cover any slots.
template <class Evaluation>
inline constexpr bool is_by_particle = false;
template <Sums sums>
inline constexpr bool is_by_particle<ByParticle<sums>> = true;

// `length()` returns the length of the step.
template <class Fields, class Length>
CAMBER_DEVICE void predict(const Fields& now, const typename Fields::Forces& forces,
                           const Fields& ahead, int slot, const Constants<typename Fields::Real>& k,
                           const Length& length) {
    Particle<typename Fields::Real> p = particle_at(now, slot);
    if (p.is_fluid()) {
        const auto dt = length();
        p = predicted(k, p, forces.load(slot), dt);
    }
    ahead.store(slot, p);
}

template <class Fields, class Slots>
__global__ void predictor_kernel(const Fields now, const typename Fields::Forces forces,
                                 const Grid<typename Fields::Real> step, const Fields ahead,
                                 const Slots slots, const Constants<typename Fields::Real> k) {
    using Real = typename Fields::Real;
    const int slot = slots.of_thread(own_slot());
    if (!slots.has(slot)) return;
    predict(now, forces, ahead, slot, k, [&]() -> Real { return step(0, 0); });
}

// `to` may equal `now`: each thread reads and writes its own particle only.
template <class Fields>
CAMBER_DEVICE void correct(const Fields& now, const typename Fields::Forces& forces,
                           typename Fields::Real dt, const Fields& to, const Grid<int>& ids,
                           const Grid<Fault>& faults, int iteration, int slot,
                           const Constants<typename Fields::Real>& k) {
    Particle<typename Fields::Real> p = particle_at(now, slot);
    if (p.is_fluid()) p = corrected(k, p, forces.load(slot), dt);
    to.store(slot, p);
    if (has_blown_up(k, p, dt)) report(faults, blow_up, iteration, ids(0, slot));
}

template <class Fields, class Slots>
__global__ void corrector_kernel(const Fields now, const typename Fields::Forces forces,
                                 const Grid<typename Fields::Real> step, const Fields to,
                                 const Grid<int> ids, const Grid<Fault> faults, const int iteration,
                                 const Slots slots, const Constants<typename Fields::Real> k) {
    const int slot = slots.of_thread(own_slot());
    if (!slots.has(slot)) return;
    const typename Fields::Real dt = step(0, 0);
    correct(now, forces, dt, to, ids, faults, iteration, slot, k);
}

CAMBER_TARGET_END
