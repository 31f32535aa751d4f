// Water flow in double precision, in two kernels, by few techniques.
#include "variants/techniques/techniques.hpp"
#include "workloads/water/water_flow/rules.hpp"

namespace camber::water_flow {
namespace {

const Registration water_flow_float64_variants([](Registry& registry) {
    using Techniques = TechniqueList<Global, Halo, Packed>;
    const StepChoices steps{step_choices<BestLevels<double, Minimisation::network>, Techniques>(),
                            step_choices<Distribute<double>, Techniques>()};
    add_pipelines(registry, "water_flow", ElementType::float64, target_backend, "two_kernels",
                  steps);
    add_composer(registry, "water_flow", ElementType::float64, target_backend, steps);
});

}  // namespace
}  // namespace camber::water_flow
