// Neighbor lists built by warps.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/warp_search.hpp"

// Expected time of a list build for ten million particles on an H200: a warp tests about 27 words
// of 32 candidates, each in 11 instructions per lane, and takes 80 hits of a lane from its words,
// in 12 instructions each. That is 10,500 instructions per particle, 3.1 ms at 33.4 T per second.
// The lists, 3.2 GB, are written once by whole sectors: 0.8 ms, which overlap. Measured on a block
// of ten million particles: 6.0 ms, and 15.4 ms with one thread per particle, whose neighbors are
// stored in a sector each. A warp takes 15,900 instructions, because the last of three words of a
// run is half empty, and 81 % of the issue slots are used.
namespace camber::sph {

namespace {

constexpr TechniqueInfo warp_search_technique{
    "neighbour_list_warp_search", "as neighbour_list, a warp tests the same candidates at once",
    "camber's, after Rustico 2012, section 7.3.2", Family::global_memory};

const Registration warp_search([](Registry& registry) {
    using Searching =
        Form<InterleavedList, QuadFields, Read::read_only, SortedOrder<RowOrder, float>,
             LibraryMinimum<float>, ByParticle<Sums::plain>, SearchByWarp<>>;
    registry.add(variant_of<Searching>(warp_search_technique, 128));
});

}  // namespace
}  // namespace camber::sph
