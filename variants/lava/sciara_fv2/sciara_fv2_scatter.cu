// SCIARA-fv2 without fields of flows, by sums whose order is not the model's: in tiles without
// conflicts, and by atomic additions.
#include "variants/lava/sciara_fv2/cfamo.hpp"
#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/lava/sciara_fv2/scatter.hpp"
#include "variants/stencil/plans.hpp"
#include "variants/techniques/global.hpp"

namespace camber::sciara_fv2 {
namespace {

const Registration variants([](Registry& registry) {
    using Blocks = TechniqueList<PlainBlocks>;
    const auto pipelines = [&](const char* name, const StepChoices& steps) {
        add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, name, steps);
    };
    const auto cooling = step_choices<Cooling, Blocks>();
    const auto emission = emission_choices(cooling);
    auto cfamo = step_choices<Transport, TechniqueList<Cfamo>>();
    for (StepPlan& plan : cfamo) plan.arithmetic = Arithmetic::reordered;
    pipelines("three_kernels", {emission, cfamo, cooling});
    pipelines(
        "five_kernels",
        renamed({emission, step_choices<HeatSwitch, Blocks>(),
                 plans_like(cooling, scatter_fv2_plan), step_choices<Division, Blocks>(), cooling},
                {"atomics", "outflows handed on by atomic additions, heat divided at the end",
                 "public GPU versions of SCIARA-fv2; atomic scatter without flow buffer",
                 Family::global_memory}));
    pipelines(
        "six_kernels",
        renamed(
            {emission, step_choices<Outflows, Blocks>(), step_choices<HeatSwitch, Blocks>(),
             plans_like(cooling, scatter_flows_plan), step_choices<Division, Blocks>(), cooling},
            {"atomics_flow_buffer", "as atomics, with the outflows in fields of their own",
             "public GPU versions of SCIARA-fv2; atomic scatter with flow buffer",
             Family::global_memory}));
});

}  // namespace
}  // namespace camber::sciara_fv2
