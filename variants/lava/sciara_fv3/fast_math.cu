// SCIARA-fv3 in float with the device's fast elementary functions, divisions and roots, which are
// less accurate: compiled with -use_fast_math (cmake/ExactWorkloads.cmake). The kernels are in
// their own namespace, so that the linker does not replace them by another file's kernels with the
// same name. On the executor, accuracy is unchanged. Thesis on SCIARA-fv3, option fast_math.
#include "harness/base/target.hpp"

#undef CAMBER_TARGET
#if CAMBER_ON_DEVICE
    #define CAMBER_TARGET on_device_fast
#else
    #define CAMBER_TARGET on_host_fast
#endif

#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/lava/sciara_fv3/pipelines.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// Global memory and shared tiles, the two memories of the published kernels, in the block that both
// have.
struct FastGlobal : GlobalIn<Region{16, 16}> {};
struct FastTile {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius > 0)
            catalogue.add(SharedTile::info, shared_tile_variant<Rule, 16, 16, 1>(128));
        else
            catalogue.add(Halo::info, Halo::variant<Rule>({16, 16}, 128));
    }
};

CAMBER_TARGET_END

namespace camber::sciara_fv3 {
namespace {

template <class Memory>
StepChoices six_fast_kernels() {
    using R = float;
    constexpr Trigonometry branching = Trigonometry::branching;
    const auto candidates = choices_of<Candidates<R, branching>, Memory>();
    StepChoices steps{plans_like(candidates, emission_fv3_plan<R>),
                      candidates,
                      plans_like(candidates, clock_plan<R>),
                      choices_of<Outflow<R, branching>, Memory>(),
                      choices_of<Exchange<R>, Memory>(),
                      choices_of<Cooling<R>, Memory>()};
    for (std::vector<StepPlan>& step : steps)
        for (StepPlan& plan : step) plan.arithmetic = Arithmetic::reordered;
    return steps;
}

const Registration fast_math_variants([](Registry& registry) {
    constexpr const char* source = "thesis on SCIARA-fv3, option fast_math";
    const auto add = [&](const StepChoices& steps, const TechniqueInfo& info) {
        add_pipelines(registry, "sciara_fv3", ElementType::float32, target_backend, "",
                      renamed(steps, info));
    };
    add(six_fast_kernels<FastGlobal>(),
        {"fast_math", "as global, with fast and less exact functions", source,
         Family::global_memory});
    add(six_fast_kernels<FastTile>(),
        {"fast_math_tile", "as shared_tile, with fast and less exact functions", source,
         Family::shared_memory});
});

}  // namespace
}  // namespace camber::sciara_fv3
