// Surface water in its first form, five kernels: rain, infiltration, outflow, scatter, settle.
#include "variants/surface_water/scatter.hpp"

namespace camber {
namespace {

constexpr TechniqueInfo scatter{"scatter", "water handed out to the neighbours by atomic additions",
                                "Balasalle 2011, section 6.1"};

const Registration variants([](Registry& registry) {
    using namespace surface_water;
    using Plain = TechniqueList<Halo>;
    StepChoices steps{step_choices<Rain<float>, Plain>(),
                      step_choices<Infiltration<float>, Plain>(),
                      step_choices<Outflow<float>, Plain>(),
                      {},
                      step_choices<Settle<float>, Plain>()};
    for (const StepPlan& plan : steps[2]) steps[3].push_back(scatter_plan<float>(plan));
    for (std::vector<StepPlan>& step : steps)
        for (StepPlan& plan : step) {
            plan.technique = scatter.name;
            plan.summary = scatter.summary;
            plan.source = scatter.source;
        }
    add_pipelines(registry, "surface_water", ElementType::float32, target_backend, "five_kernels",
                  steps);
});

}  // namespace
}  // namespace camber
