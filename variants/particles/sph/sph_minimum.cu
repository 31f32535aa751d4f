// The longest step of all particles, found by the kernel that computes the forces.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fused_minimum.hpp"
#include "variants/particles/sph/quad_fields.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo fused_minimum_technique{
    "neighbour_list_fused_minimum", "as neighbour_list, the step found by the forces' blocks",
    "after Rustico 2012, section 7.3.1, whose minimum is a library's", Family::global_memory};

const Registration minimum([](Registry& registry) {
    registry.add(
        variant_of<Form<InterleavedList, QuadFields, Read::plain, SortedOrder<RowOrder, float>,
                        FusedMinimum>>(fused_minimum_technique, 128));
});

}  // namespace
}  // namespace camber::sph
