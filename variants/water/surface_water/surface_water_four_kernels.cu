// Surface water in four kernels: rain, infiltration, loss, gain. Loss is computed once per cell and
// passes through memory.
#include "variants/techniques/techniques.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water {
namespace {

const Registration surface_water_four_kernels_variants([](Registry& registry) {
    add_pipelines(registry, "surface_water", ElementType::float32, target_backend, "four_kernels",
                  {step_choices<Rain<float>>(), step_choices<Infiltration<float>>(),
                   step_choices<Outflow<float>>(), step_choices<Gather<float>>()});
});

}  // namespace
}  // namespace camber::surface_water
