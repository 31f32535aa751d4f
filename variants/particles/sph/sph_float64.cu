// Lists of neighbors in double.
//
// What to expect of a million particles on an H200, against float: a pair loads two sectors of 32
// bytes where it loaded two halves of one each, so that the bytes that L1 serves go from 36 to 68
// for each pair. A pair's 90 instructions take pipes that are half as wide, 64 lanes of 128, and a
// root and a division in double are some 20 instructions each: about twice the time of float.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/double_quad_fields.hpp"
#include "variants/particles/sph/scalar_fields.hpp"
#include "variants/particles/sph/techniques.hpp"

namespace camber::sph {
namespace {

const Registration doubles([](Registry& registry) {
    registry.add(
        variant_of<Form<InterleavedList, DoubleQuadFields, Read::read_only>>(list_technique, 128));
    registry.add(variant_of<Form<InterleavedList, ScalarFields<double>, Read::read_only>>(
        list_technique, 128));
    registry.add(variant_of<Form<ParticleList, DoubleQuadFields, Read::read_only>>(
        particle_list_technique, 128));
});

}  // namespace
}  // namespace camber::sph
