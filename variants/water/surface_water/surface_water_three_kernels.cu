// Surface water in the three kernels of the revised model: rain, infiltration, and loss with gain
// (`add`, `remove` and `process` in Balasalle 2011, section 6.3).
#include "variants/techniques/techniques.hpp"
#include "variants/water/surface_water/shared_loss.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water {
namespace {

const Registration surface_water_three_kernels_variants([](Registry& registry) {
    using Techniques = Without<StepTechniques, RowStream>;  // slower at every size, like `fused`
    const StepChoices steps{step_choices<Rain<float>>(), step_choices<Infiltration<float>>(),
                            step_choices<Flow<float>, Techniques, SharedLoss>()};
    add_pipelines(registry, "surface_water", ElementType::float32, target_backend, "three_kernels",
                  steps);
    add_composer(registry, "surface_water", ElementType::float32, target_backend, steps);
});

}  // namespace
}  // namespace camber::surface_water
