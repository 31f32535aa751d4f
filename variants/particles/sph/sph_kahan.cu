// Compensated sums of forces.
//
// Expected performance for a million particles on an H200: four sums with four operations instead
// of one, 12 more instructions per pair in addition to about 90, and four more registers. Lists are
// limited by their loads, so little of this should show.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo kahan_technique{
    "neighbour_list_kahan", "as neighbour_list, the sums of forces compensated",
    "Kahan 1965, for the sums of Rustico 2012, section 7.1", Family::global_memory};

template <class Fields, Read read>
void add(Registry& registry) {
    Variant variant = variant_of<Form<InterleavedList, Fields, read, SortedOrder<RowOrder, float>,
                                      LibraryMinimum<float>, ByParticle<Sums::compensated>>>(
        kahan_technique, 128);
    variant.info.arithmetic = Arithmetic::reordered;
    registry.add(std::move(variant));
}

const Registration kahan([](Registry& registry) {
    add<QuadFields, Read::plain>(registry);
    add<ScalarFields<float>, Read::read_only>(registry);
});

}  // namespace
}  // namespace camber::sph
