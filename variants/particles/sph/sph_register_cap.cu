// Force kernels on neighbor lists with a register limit, so that more warps are resident.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/kernels.hpp"

// Forces by one thread per particle with fewer registers than the compiler would use, so that more
// warps are resident to hide latency; the rest spills to local memory.
CAMBER_WORKLOAD_BEGIN(sph)

template <int threads, int blocks, Read read, class Neighbours, class Fields, class Limits,
          class Slots>
__global__ void __launch_bounds__(threads, blocks)
    capped_forces_kernel(const Fields fields, const Neighbours neighbours,
                         const typename Fields::Forces forces, const Limits limits,
                         const Slots slots, const Constants<typename Fields::Real> k) {
    compute_forces<read, Sums::plain>(fields, neighbours, forces, limits, slots, k);
}

// Kernel for blocks of `threads` threads, of which `blocks` are to be resident on an SM.
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

namespace camber::sph {

// Expected performance for a million particles on an H200: the force kernel takes 43 registers,
// with which 10 blocks of 128 threads are resident, 40 of 64 warps. With 40 registers there are 48
// warps, and with 32 all 64. Each warp waits for its neighbors' sectors, two loads at a time. If
// latency is the limit, a fifth more warps reduce the time by up to a sixth; if L1 bandwidth is,
// they do not. Three registers are easily saved, but eleven are most of a particle's own values:
// they spill to local memory and are reloaded for each of 80 neighbors, so 32 should be slower.

namespace {

constexpr TechniqueInfo register_cap_technique{
    "neighbour_list_register_cap", "as neighbour_list, the forces with a limit of registers",
    "after Bilotta et al. 2011, section 6.1, for the kernel of Rustico 2012, section 7.3.1",
    Family::global_memory};

// Registers per SM, which are allocated to threads in multiples of eight.
constexpr int registers_in_all = 65536;
constexpr int threads = 128;

template <int blocks>
void add(Registry& registry) {
    constexpr int registers = registers_in_all / (threads * blocks) / 8 * 8;
    using Capped = Form<InterleavedList, QuadFields, Read::read_only, SortedOrder<RowOrder, float>,
                        LibraryMinimum<float>, ByCappedParticle<threads, blocks>>;
    Variant variant = variant_of<Capped>(register_cap_technique, threads);
    variant.info.shape.path += "/r" + std::to_string(registers);
    variant.info.parameters.emplace_back("registers", registers);
    registry.add(std::move(variant));
}

const Registration register_cap([](Registry& registry) {
    add<12>(registry);
    add<16>(registry);
});

}  // namespace
}  // namespace camber::sph
