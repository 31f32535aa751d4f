// First form of surface water, five kernels: rain, infiltration, outflow, scatter, settle. Workload
// surface_water has it with a release at a rate, surface_water_clock as the thesis describes it:
// with a release by clocks, without and with shared memory.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "variants/techniques/shared_tile.hpp"
#include "variants/techniques/techniques.hpp"
#include "variants/water/surface_water/scatter.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water {

namespace {

constexpr TechniqueInfo scatter{"scatter", "water handed out to the neighbours by atomic additions",
                                "Balasalle 2011, section 6.1", Family::global_memory};
constexpr TechniqueInfo scatter_tile{
    "scatter_tile", "as scatter, ground, water and a block's sums staged in shared memory",
    "Balasalle 2011, section 6.3", Family::shared_memory};

// Steps of the first form, each in the techniques of the third.
template <class T>
StepChoices first_form(std::vector<StepPlan> outflow, std::vector<StepPlan> scatter) {
    using Plain = TechniqueList<Halo>;
    return {step_choices<Rain<T>, Plain>(), step_choices<Infiltration<T>, Plain>(),
            std::move(outflow), std::move(scatter), step_choices<Settle<T>, Plain>()};
}

template <class Rule, class T>
StepChoices in_global_memory() {
    const auto outflow = step_choices<Rule, TechniqueList<Halo>>();
    return renamed(first_form<T>(outflow, plans_like(outflow, scatter_plan<T>)), scatter);
}

template <class Rule, class T>
StepChoices in_shared_memory() {
    std::vector<StepPlan> square, wide;
    for (const int alignment : {unaligned, 128}) {
        Catalogue<Rule>(square).add(SharedTile::info,
                                    shared_tile_variant<Rule, 16, 16, 1>(alignment));
        Catalogue<Rule>(wide).add(SharedTile::info, shared_tile_variant<Rule, 64, 4, 1>(alignment));
    }
    auto scatters = plans_like(square, scatter_tile_plan<T, 16, 16>);
    std::ranges::copy(plans_like(wide, scatter_tile_plan<T, 64, 4>), std::back_inserter(scatters));
    auto outflow = std::move(square);
    std::ranges::move(wide, std::back_inserter(outflow));
    return renamed(first_form<T>(std::move(outflow), std::move(scatters)), scatter_tile);
}

template <class T>
void add_clocked(Registry& registry) {
    for (const StepChoices& steps :
         {in_global_memory<ClockedOutflow<T>, T>(), in_shared_memory<ClockedOutflow<T>, T>()})
        add_pipelines(registry, "surface_water_clock", element_of<T>(), target_backend,
                      "five_kernels", steps);
}

const Registration surface_water_five_kernels_variants([](Registry& registry) {
    add_pipelines(registry, "surface_water", ElementType::float32, target_backend, "five_kernels",
                  in_global_memory<Outflow<float>, float>());
    add_clocked<float>(registry);
    add_clocked<double>(registry);
});

}  // namespace
}  // namespace camber::surface_water
