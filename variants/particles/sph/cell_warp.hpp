// One warp per cell: its lanes have the cell's particles and visit those of the 27 surrounding
// cells together. All lanes load the same candidate, in loops of equal lengths.
#pragma once

#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/kernels.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

CAMBER_HD inline Cell cell_with_hash(const CellGrid<float>& grid, int hash) {
    const int row = hash / grid.size.x;
    return {hash % grid.size.x, row / grid.size.z, row % grid.size.z};
}

// Up to 32 particles of a run that all lanes visit one after another, each loaded when it is
// visited.
template <Read read, class Fields>
class LoadedCandidates {
  public:
    CAMBER_DEVICE LoadedCandidates(const Fields& fields, const Fields& listed)
        : fields_(fields), listed_(listed) {}

    CAMBER_DEVICE void take(int first, int /*count*/) { first_ = first; }
    CAMBER_DEVICE Location<float> listed(int i) const {
        return listed_.template point<read>(first_ + i);
    }
    CAMBER_DEVICE Place<float> place(int i) const {
        return fields_.template place<read>(first_ + i);
    }
    CAMBER_DEVICE Motion<float> motion(int i) const {
        return fields_.template motion<read>(first_ + i);
    }

  private:
    const Fields& fields_;
    const Fields& listed_;
    int first_ = 0;
};

// Sum over the neighbors of particle `own` in `slot`, which was at `listed` when cells were built.
// Called by whole warps.
template <class Candidates, class Fields, class Runs>
CAMBER_DEVICE void add_neighbours(ForceSum<float>& sum, int slot, const Place<float>& listed,
                                  const Cell& cell, Candidates& candidates,
                                  const CellRuns<Fields, Runs>& cells, const Constants<float>& k) {
    constexpr unsigned all = 0xffffffffu;
    const auto visit = [&](bool there, int around) {
        if (!there) return;
        const int stop = cells.runs.end(around);
        for (int first = cells.runs.first(around); first < stop; first += 32) {
            const int count = stop - first < 32 ? stop - first : 32;
            candidates.take(first, count);
            for (int i = 0; i < count; ++i) {
                const Location<float> there_listed = candidates.listed(i);
                const bool near = first + i != slot && listed.density > 0 &&
                                  squared_distance(listed, there_listed) < cells.reach_2;
                if (!__any_sync(all, near)) continue;
                const Place<float> place = candidates.place(i);
                const Motion<float> motion = candidates.motion(i);
                if (near)
                    sum.add(k, place.x, place.y, place.z, place.density, [&] { return motion; });
            }
            __syncwarp();
        }
    };
    for_cells_around(cells.grid, cell, visit);
}

template <class Candidates, class Fields, class Runs, class Limits>
__global__ void cell_forces_kernel(const Fields fields, const CellRuns<Fields, Runs> cells,
                                   const typename Fields::Forces forces, const Limits limits,
                                   const Constants<float> k) {
    const int cell = own_slot() / 32;
    if (cell >= cells.grid.count()) return;
    const int stop = cells.runs.end(cell);
    Candidates candidates(fields, cells.listed);
    for (int first = cells.runs.first(cell); first < stop; first += 32) {
        const int slot = first + static_cast<int>(threadIdx.x) % 32;
        const bool exists = slot < stop;
        // Lanes without a particle repeat the work of the last particle's lane.
        const int own = exists ? slot : stop - 1;
        const Place<float> listed = cells.listed.place(own);
        const Particle<float> particle = particle_at(fields, own);
        const bool is_fluid = particle.is_fluid();
        Force<float> force;
        float limit = longest_step<float>;
        if (__any_sync(0xffffffffu, is_fluid)) {
            ForceSum<float> sum(k, particle);
            add_neighbours(sum, own, listed, cell_with_hash(cells.grid, cell), candidates, cells,
                           k);
            if (is_fluid) {
                force = sum.total(k);
                limit = step_limit(k, particle.density, force);
            }
        }
        if (exists) forces.store(slot, force);
        limits.take(slot, exists, is_fluid, limit);
    }
}

// Evaluates forces with one warp per cell.
template <template <Read, class> class Candidates>
struct ByCell {
    template <Read read, class Fields, class Runs, class Limits>
    static void enqueue(Queue& queue, unsigned block, const LineSlots&, const Fields& fields,
                        const CellRuns<Fields, Runs>& cells,
                        const typename Fields::ForceStore& forces, const Limits& limits,
                        const Constants<float>& k) {
        const std::size_t threads = 32 * static_cast<std::size_t>(cells.grid.count());
        launch(queue, "cell_forces", covering_line(threads, block),
               cell_forces_kernel<Candidates<read, Fields>, Fields, Runs, Limits>, fields, cells,
               forces.forces(), limits, k);
    }
};

CAMBER_TARGET_END
