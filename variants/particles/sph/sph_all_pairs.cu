// Every particle against all others.
//
// What to expect of 23,195 particles on an H200: 12,800 of water test 23,195 each, twice in an
// iteration: 594 million tests of some ten instructions, 19 million for warps, and as many
// requests, each of one sector that serves all lanes. The 132 SMs issue 528
// instructions a clock, of which 180 blocks of 128 threads fill a third: 0.6 ms, some five times as
// long as by a list. Of a million particles it would be 2000 times as much.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/all_pairs.hpp"
#include "variants/particles/sph/quad_fields.hpp"

namespace camber::sph {
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
