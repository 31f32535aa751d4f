// Water as particles: neighbors from lists in two layouts or from a visit to the cells, particles
// as float4 or as separate numbers, plain or read-only loads, blocks of 64, 128 and 256.
//
// Expected performance for a million particles on an H200, 851,000 of them water with about 80
// neighbors, in two evaluations: 136 million pairs. Each pair loads 4 bytes of the list and two
// float4, 36 bytes in all; the 4.9 GB are served by L1 and L2 at 6 to 8 TB/s in 0.6 to 0.8 ms. A
// pair takes about 90 instructions without contraction, including a root and up to two divisions:
// 12e9 in all, at 29e12 per second 0.4 ms, which overlap with the loads. The list is read from DRAM
// once per evaluation, 0.54 GB or 0.13 ms. All other data are streamed: at most 0.1 ms. So about
// 0.8 to 1.1 ms are expected for interleaved lists, float4 and read-only loads.
#include <cstddef>
#include <vector>

#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/fields.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo cells_technique{
    "cell_visit", "no list: the 27 cells around a particle are visited at each evaluation",
    "Rustico 2012, section 7.3.2, without fixed slots", Family::global_memory};

template <class List, class Fields, Read read>
void add(Registry& registry, const TechniqueInfo& technique, int block) {
    registry.add(variant_of<Form<List, Fields, read>>(technique, block));
}

template <class List>
void add_all(Registry& registry, const TechniqueInfo& technique) {
    for (const int block : {64, 128, 256})
        add<List, QuadFields, Read::plain>(registry, technique, block);
    add<List, QuadFields, Read::read_only>(registry, technique, 128);
    add<List, ScalarFields<float>, Read::plain>(registry, technique, 128);
    add<List, ScalarFields<float>, Read::read_only>(registry, technique, 128);
}

const Registration sph_variants([](Registry& registry) {
    add_all<InterleavedList>(registry, list_technique);
    add_all<ParticleList>(registry, particle_list_technique);
    add_all<NoList>(registry, cells_technique);
});

}  // namespace
}  // namespace camber::sph

// Neighbors found by testing every particle against all others in each force evaluation: the naive
// search (Rustico 2012, section 7.3.1).
CAMBER_WORKLOAD_BEGIN(sph)

struct AllPairs {};

// Visits slots in ascending order, which is the reference's order, because particles are sorted by
// rows of cells.
template <class FieldsType>
struct EveryOther {
    using Fields = FieldsType;
    using Real = typename Fields::Real;
    Fields listed;  // positions at the time of the sort, which define the neighbors
    int count;
    Real reach_2;

    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        using Seen = Location<Real>;
        const Seen own = listed.template point<read>(slot);
        for (int other = 0; other < count; ++other) {
            const Turn of_other;
            const Seen there = listed.template point<read>(other);
            if (other != slot && squared_distance(own, there) < reach_2) f(other);
        }
    }
};

template <>
inline constexpr bool keeps_list<AllPairs> = false;
template <>
inline constexpr bool is_found_by_cells<AllPairs> = false;

template <>
class ListStore<AllPairs> {
  public:
    ListStore(Queue&, std::size_t count, int) : count_(static_cast<int>(count)) {}
    template <class Cells>
    EveryOther<typename Cells::Fields> neighbours(const Cells& cells) const {
        return {cells.listed, count_, cells.reach_2};
    }
    std::vector<ByteArea> areas() const { return {}; }

  private:
    int count_;
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance for 23,195 particles on an H200: 12,800 water particles test 23,195 each,
// twice per iteration: 594 million tests of some ten instructions, 19 million for warps, and as
// many requests, each of one sector that serves all lanes. The 132 SMs issue 528 instructions per
// clock, of which 180 blocks of 128 threads fill a third: 0.6 ms, some five times as long as with a
// list. A million particles would take 2000 times as long.

namespace {

constexpr TechniqueInfo all_pairs_technique{
    "all_pairs", "no list and no cells: each particle tests all others at each evaluation",
    "Rustico 2012, section 7.3.1, on naive search", Family::global_memory};

const Registration all_pairs([](Registry& registry) {
    Variant variant = variant_of<Form<AllPairs, QuadFields, Read::plain>>(all_pairs_technique, 128);
    variant.unsupported = [](const Problem& problem) {
        return more_particles_than(std::int64_t{1} << 17, problem);
    };
    registry.add(std::move(variant));
});

}  // namespace
}  // namespace camber::sph
