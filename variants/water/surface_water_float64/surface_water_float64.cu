// Surface water in double precision, in three and in four kernels, by few techniques.
#include "variants/techniques/techniques.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water {
namespace {

const Registration surface_water_float64_variants([](Registry& registry) {
    using Plain = TechniqueList<Global, Halo>;
    using Wide = TechniqueList<Halo, Packed>;
    const auto add = [&](const char* name, const StepChoices& steps) {
        add_pipelines(registry, "surface_water", ElementType::float64, target_backend, name, steps);
    };
    const StepChoices three{step_choices<Rain<double>, Plain>(),
                            step_choices<Infiltration<double>, Plain>(),
                            step_choices<Flow<double>, Plain>()};
    add("three_kernels", three);
    add_composer(registry, "surface_water", ElementType::float64, target_backend, three);
    add("four_kernels",
        {step_choices<Rain<double>, Wide>(), step_choices<Infiltration<double>, Wide>(),
         step_choices<Outflow<double>, Wide>(), step_choices<Gather<double>, Wide>()});
});

}  // namespace
}  // namespace camber::surface_water
