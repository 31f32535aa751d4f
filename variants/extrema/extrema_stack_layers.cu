// Extrema of all layers of a stack, a kernel per layer: every layer is read up to three times.
#include "variants/techniques.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/extrema/rule.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    using Some = TechniqueList<Global, Halo, SharedTile, Packed, RowStream>;
    add_pipelines(
        registry, "extrema_stack", ElementType::float32, target_backend, "by_layer",
        {step_choices<ExtremaOfLayer<1>, Some>(), step_choices<ExtremaOfLayer<2>, Some>(),
         step_choices<ExtremaOfLayer<3>, Some>(), step_choices<ExtremaOfLayer<4>, Some>()});
});

}  // namespace
}  // namespace camber
