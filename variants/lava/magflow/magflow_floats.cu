// MAGFLOW in single precision, as published, and in double precision, without texture variants, because
// textures have no 8-byte elements.
#include "variants/lava/magflow/pipelines.hpp"

namespace camber::magflow {
namespace {

const Registration magflow_float32_variants([](Registry& registry) {
    add_magflow<float, MagflowTechniques<TextureFetch>>(registry);
    for (const TechniqueInfo& technique :
         {TwoElement::info, Packed::info, Packed::two_info, RowStream::info, ColumnStream::info})
        registry.leave_out("magflow", technique.name, too_heavy);
    leave_out_whole_generations(registry, "magflow");
});

const Registration magflow_float64_variants([](Registry& registry) {
    add_magflow<double, MagflowTechniques<>>(registry);
});

}  // namespace
}  // namespace camber::magflow
