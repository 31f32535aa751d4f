// Water flow in two kernels, best levels by the sorting network (two_kernels) or by loops
// (loop_form).
#include "variants/techniques/techniques.hpp"
#include "workloads/water/water_flow/rules.hpp"

namespace camber::water_flow {
namespace {

const Registration water_flow_two_kernels_variants([](Registry& registry) {
    const auto distribute = step_choices<Distribute<float>>();
    const StepChoices network{step_choices<BestLevels<float, Minimisation::network>>(), distribute};
    add_pipelines(registry, "water_flow", ElementType::float32, target_backend, "two_kernels",
                  network);
    add_composer(registry, "water_flow", ElementType::float32, target_backend, network);

    std::vector<StepPlan> loop;
    TechniqueList<Halo, SharedTile>::add_to(Catalogue<BestLevels<float, Minimisation::loop>>(loop));
    add_pipelines(registry, "water_flow", ElementType::float32, target_backend, "loop_form",
                  {loop, distribute});
});

}  // namespace
}  // namespace camber::water_flow
