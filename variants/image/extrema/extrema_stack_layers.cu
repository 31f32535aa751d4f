// Extrema of all layers of a stack, one kernel per layer: every layer is read up to three times.
#include "variants/techniques/techniques.hpp"
#include "workloads/image/extrema/extrema.hpp"
#include "workloads/image/extrema/rule.hpp"

namespace camber::extrema {
namespace {

// One kernel serves all layers, which differ only in the names of their fields.
template <int layer>
std::vector<StepPlan> extrema_of_layer() {
    std::vector<StepPlan> choices;
    TechniqueList<Global, Halo, SharedTile, Packed, RowStream>::add_to(
        Catalogue<ExtremaOfLayer<1>>::for_fields_of<ExtremaOfLayer<layer>>(choices));
    return choices;
}

const Registration extrema_stack_layers_variants([](Registry& registry) {
    add_pipelines(registry, "extrema_stack", ElementType::float32, target_backend, "by_layer",
                  {extrema_of_layer<1>(), extrema_of_layer<2>(), extrema_of_layer<3>(),
                   extrema_of_layer<4>()});
});

}  // namespace
}  // namespace camber::extrema
