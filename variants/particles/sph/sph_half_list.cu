// Each pair of water once, by atomic additions.
//
// Expectation for a million particles on an H200: half of the pairs' loads and arithmetic, and four
// additions for each of 68 million pairs in two evaluations. L2 performs them per sector: 272
// million, which at one per clock in each of about a hundred slices take 1.7 ms, more than all
// savings. The list has half the entries, but its lanes add to addresses as scattered as their
// loads.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/half_list.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo half_technique{
    "neighbour_list_half", "as neighbour_list, each pair once, its term added to both by atomics",
    "the symmetry of Rustico 2012, section 7.1, eq. 7.6", Family::global_memory};

const Registration half([](Registry& registry) {
    Variant variant =
        variant_of<Form<HalfList, QuadFields, Read::plain, SortedOrder<RowOrder, float>,
                        LibraryMinimum<float>, ByPair>>(half_technique, 128);
    variant.info.arithmetic = Arithmetic::unordered;
    registry.add(std::move(variant));
});

}  // namespace
}  // namespace camber::sph
