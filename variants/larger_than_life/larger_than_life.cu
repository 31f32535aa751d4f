// Larger than Life by adding up the whole square, in the techniques that know a radius when they
// run, and by separate sums of columns and rows in shared memory.
#include "variants/larger_than_life/separable_tile.hpp"
#include "variants/techniques/box_tile.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::larger_than_life {
namespace {

constexpr const char* workload = "larger_than_life";

constexpr const char* fixed_radius = "is compiled for one radius, and this rule has any up to 16";

const Registration variants([](Registry& registry) {
    Catalogue<LargerThanLife> catalogue(registry, workload, ElementType::uint8);
    TechniqueList<Global, Halo, ReadOnly, TextureFetch>::add_to(catalogue);
    for (const CarveOut wish : CarveOutWish::both)
        CarveOutWish::add(catalogue, wish, Halo::info, Halo::variant<LargerThanLife>({64, 4}, 128));
    BoxTile::add(catalogue);
    SeparableTile::add(catalogue);
    for (const TechniqueInfo& technique :
         {SharedTile::info, TwoElement::info, TwoGeneration::info, TwoGeneration::const_info,
          TwoGenerationLinear::info, TwoGenerationLinear::load_info, TwoElementTwoGeneration::info,
          TwoElementTwoGeneration::load_info, ThreadPerInput::info, NGenerations::info,
          FirstRows::info, Packed::info, Packed::two_info, RowStream::info, ColumnStream::info,
          Constant::info, ArrayOfStructures::info, ArrayOfStructures::packed_info})
        registry.leave_out(workload, technique.name, fixed_radius);
});

}  // namespace
}  // namespace camber::larger_than_life
