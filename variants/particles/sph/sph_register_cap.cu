// Lists whose forces have a limit of registers.
//
// What to expect of a million particles on an H200: the kernel of the forces takes 43 registers
// there, with which 10 blocks of 128 threads are resident, 40 of 64 warps. With 40 they are 48
// warps, and with 32 all 64. Each warp waits for its neighbors' sectors, two loads at a time.
// Where that wait binds, a fifth more warps take up to a sixth of the time off; where L1's
// bandwidth does, none. Three registers are few to save, but eleven are most of a particle's own
// numbers: they go to local memory and come back for each of 80 neighbors, so that 32 should lose.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/quad_fields.hpp"
#include "variants/particles/sph/register_cap.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo register_cap_technique{
    "neighbour_list_register_cap", "as neighbour_list, the forces with a limit of registers",
    "after Bilotta et al. 2011, section 6.1, for the kernel of Rustico 2012, section 7.3.1",
    Family::global_memory};

// Registers per SM, allocated to threads in multiples of eight.
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
