// MAGFLOW in single precision, as published.
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

}  // namespace
}  // namespace camber::magflow
