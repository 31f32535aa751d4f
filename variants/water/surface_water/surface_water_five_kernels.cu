// Surface water in its first form, five kernels: rain, infiltration, outflow, scatter, settle.
#include "variants/stencil/plans.hpp"
#include "variants/water/surface_water/scatter.hpp"

namespace camber::surface_water {
namespace {

constexpr TechniqueInfo scatter{"scatter", "water handed out to the neighbours by atomic additions",
                                "Balasalle 2011, section 6.1", Family::global_memory};

const Registration variants([](Registry& registry) {
    using Plain = TechniqueList<Halo>;
    StepChoices steps{step_choices<Rain<float>, Plain>(),
                      step_choices<Infiltration<float>, Plain>(),
                      step_choices<Outflow<float>, Plain>(),
                      {},
                      step_choices<Settle<float>, Plain>()};
    steps[3] = plans_like(steps[2], scatter_plan<float>);
    add_pipelines(registry, "surface_water", ElementType::float32, target_backend, "five_kernels",
                  renamed(steps, scatter));
});

}  // namespace
}  // namespace camber::surface_water
