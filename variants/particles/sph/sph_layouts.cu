// Variants of neighbor field layouts and access paths: records of 32 bytes, and textures.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/record_fields.hpp"
#include "variants/particles/sph/texture_fields.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo records_technique{
    "neighbour_list_records", "as neighbour_list, a particle's eight numbers in 32 bytes",
    "the layout against which Rustico 2012, section 7.3.3, has structures of arrays",
    Family::global_memory};
constexpr TechniqueInfo texture_technique{
    "neighbour_list_texture", "as neighbour_list, neighbours fetched as textures",
    "after Rustico 2012, section 3.2, on textures", Family::texture_or_constant};

const Registration layouts([](Registry& registry) {
    registry.add(
        variant_of<Form<InterleavedList, RecordFields, Read::plain>>(records_technique, 128));
    registry.add(
        variant_of<Form<InterleavedList, TextureFields, Read::texture>>(texture_technique, 128));
});

}  // namespace
}  // namespace camber::sph
