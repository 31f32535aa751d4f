// Forces by one thread per particle with fewer registers than the compiler would use, so that more
// warps are resident to hide latency; the rest spills to local memory.
#pragma once

#include "variants/particles/sph/kernels.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

template <int threads, int blocks, Read read, class Neighbours, class Fields, class Limits,
          class Slots>
__global__ void __launch_bounds__(threads, blocks)
    capped_forces_kernel(const Fields fields, const Neighbours neighbours,
                         const typename Fields::Forces forces, const Limits limits,
                         const Slots slots, const Constants<typename Fields::Real> k) {
    compute_forces<read, Sums::plain>(fields, neighbours, forces, limits, slots, k);
}

// Blocks of so many threads, of which so many are to be resident on an SM.
template <int threads, int blocks>
struct ByCappedParticle {
    template <Read read, class Fields, class Neighbours, class Limits, class Slots>
    static void enqueue(Queue& queue, unsigned block, const Slots& slots, const Fields& fields,
                        const Neighbours& neighbours, const typename Fields::ForceStore& forces,
                        const Limits& limits, const Constants<typename Fields::Real>& k) {
        launch(queue, "forces", covering_line(slots.size(), block),
               capped_forces_kernel<threads, blocks, read, Neighbours, Fields, Limits, Slots>,
               fields, neighbours, forces.forces(), limits, slots, k);
    }
};

template <int threads, int blocks>
inline constexpr bool is_by_particle<ByCappedParticle<threads, blocks>> = true;

CAMBER_TARGET_END
