// SCIARA-fv3 with atomic additions instead of fields of flows: emission, candidates for the clock,
// the clock, the heat switch, the scatter, and a cooling that takes heat.
#include "variants/lava/sciara_fv3/scatter.hpp"
#include "variants/lava/sciara_fv3/scatter_tile.hpp"
#include "variants/stencil/plans.hpp"
#include "variants/techniques/global.hpp"

namespace camber::sciara_fv3 {
namespace {

template <class R>
void add(Registry& registry) {
    const auto cooling = choices_of<CoolingOfHeat<R>, PlainBlocks>();
    const auto emission = plans_like(cooling, emission_fv3_plan<R>);
    const auto candidates = choices_of<Candidates<R, Trigonometry::branching>, PlainBlocks>();
    const auto clock = plans_like(cooling, clock_plan<R>);
    const auto heat_switch = choices_of<HeatSwitch<R>, PlainBlocks>();
    const auto pipelines = [&](StepPlan (*scatter)(const StepPlan&), const TechniqueInfo& info) {
        add_pipelines(registry, "sciara_fv3", element_of<R>(), target_backend, "",
                      renamed({emission, candidates, clock, heat_switch,
                               plans_like(cooling, scatter), cooling},
                              info));
    };
    constexpr const char* source = "thesis on SCIARA-fv3, atomic operations";
    pipelines(scatter_fv3_plan<R, R, CentreSums::in_memory>,
              {"atomics", "outflows handed on by atomic additions, six for each", source,
               Family::global_memory});
    pipelines(scatter_fv3_plan<R, R, CentreSums::in_registers>,
              {"atomics_centre", "as atomics, a cell's own losses summed in registers", source,
               Family::global_memory});
    if constexpr (sizeof(R) == sizeof(unsigned long long))
        pipelines(scatter_fv3_plan<R, unsigned long long, CentreSums::in_registers>,
                  {"atomics_cas", "as atomics_centre, additions made of compare-and-swap", source,
                   Family::global_memory});
}

const Registration variants([](Registry& registry) {
    add<double>(registry);
    add<float>(registry);
    add_scatter_tile<double>(registry);
    add_scatter_tile<float>(registry);
});

}  // namespace
}  // namespace camber::sciara_fv3
