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
#include "variants/particles/sph/add_variant.hpp"
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
