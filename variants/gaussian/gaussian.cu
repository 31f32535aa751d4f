// The Gaussian blur by adding up the whole square of a cell, in the techniques that know a radius
// when they run; and in two passes, a kernel each, in the same.
#include "variants/stencil/plans.hpp"
#include "variants/techniques/box_tile.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/gaussian/rule.hpp"

namespace camber::gaussian {
namespace {

constexpr const char* workload = "gaussian";

constexpr const char* fixed_radius = "is compiled for one radius, and this blur has any up to 16";

constexpr TechniqueInfo separable{
    "separable_passes", "rows, then columns, in two kernels, all reads from global memory",
    "after Podlozhnyuk 2007", Family::global_memory};

const Registration variants([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, workload, ElementType::float32);
    TechniqueList<Global, Halo, ReadOnly, TextureFetch>::add_to(catalogue);
    for (const CarveOut wish : CarveOutWish::both)
        CarveOutWish::add(catalogue, wish, Halo::info, Halo::variant<GaussianBlur>({64, 4}, 128));
    BoxTile::add(catalogue);
    using Plain = TechniqueList<Halo>;
    add_pipelines(
        registry, workload, ElementType::float32, target_backend, "two_kernels",
        renamed({step_choices<GaussianRows, Plain>(), step_choices<GaussianColumns, Plain>()},
                separable));
    for (const TechniqueInfo& technique :
         {SharedTile::info, TwoElement::info, TwoGeneration::info, TwoGeneration::const_info,
          TwoGenerationLinear::info, TwoGenerationLinear::load_info, TwoElementTwoGeneration::info,
          TwoElementTwoGeneration::load_info, ThreadPerInput::info, NGenerations::info,
          FirstRows::info, Packed::info, Packed::two_info, RowStream::info, ColumnStream::info,
          Constant::info, ArrayOfStructures::info, ArrayOfStructures::packed_info})
        registry.leave_out(workload, technique.name, fixed_radius);
});

}  // namespace
}  // namespace camber::gaussian
