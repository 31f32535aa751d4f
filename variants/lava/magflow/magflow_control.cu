// Control variants of MAGFLOW, which differ outside of the stencil: other ways to find the shortest
// step and the vents' rates, compensated sums in Update, and staging alone. In single precision, as
// published.
#include "variants/lava/magflow/erupt.hpp"
#include "variants/lava/magflow/flux_slide.hpp"
#include "variants/lava/magflow/minimum.hpp"
#include "variants/lava/magflow/pipelines.hpp"
#include "variants/lava/magflow/staged_lava.hpp"
#include "variants/lava/magflow/update.hpp"
#include "variants/lava/magflow/vent_lookup.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Flux kernel of the variants that differ in other kernels.
struct MagflowHalo {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 3}, Region{64, 4}})
            catalogue.add(Halo::info, Halo::variant<Rule>(block, 128));
    }
};

CAMBER_TARGET_END

namespace camber::magflow {
namespace {

// Adds a variant with these plans, named after one of them, `lead`. `host_waits` is the number of
// times per step that the host waits for the device.
void add_variant(Registry& registry, const char* pipeline, const StepPlan& lead,
                 const std::vector<StepPlan>& plans, int host_waits = 0) {
    Variant variant =
        pipeline_variant("magflow", ElementType::float32, target_backend, pipeline, lead, plans);
    if (host_waits > 0) variant.info.parameters.push_back({"host_waits", host_waits});
    registry.add(std::move(variant));
}

const Registration magflow_control_variants([](Registry& registry) {
    using R = float;
    constexpr const char* four = "four_kernels";
    constexpr const char* three = "three_kernels";
    for (const StepPlan& flux : flux_choices<R, true, TechniqueList<MagflowHalo>>()) {
        const StepPlan erupt = erupt_plan<R>(flux), minimum = minimum_plan<R>(flux),
                       update = update_plan<R>(flux);
        const StepPlan by_library = library_minimum_plan<R>(flux, false),
                       read_back = library_minimum_plan<R>(flux, true),
                       two_pass = two_pass_plan<R>(flux), vents = vent_cells_plan<R>(flux),
                       kahan = kahan_update_plan<R>(flux);
        add_variant(registry, four, by_library, {erupt, flux, by_library, update});
        add_variant(registry, four, read_back, {erupt, flux, read_back, update}, 1);
        add_variant(registry, four, two_pass, {erupt, flux, two_pass, update});
        add_variant(registry, four, vents, {vents, flux, minimum, update});
        add_variant(registry, four, kahan, {erupt, flux, minimum, kahan});
    }
    for (const StepPlan& flux :
         flux_choices<R, true, TechniqueList<VentLookup<VentRates::table>>>())
        add_variant(registry, three, flux, {flux, minimum_plan<R>(flux), update_plan<R>(flux)});
    // The host waits to download the time and upload the rates.
    for (const StepPlan& flux : flux_choices<R, true, TechniqueList<VentLookup<VentRates::host>>>())
        add_variant(registry, three, flux, {flux, minimum_plan<R>(flux), update_plan<R>(flux)}, 2);
    for (const StepPlan& flux : flux_choices<R, false, TechniqueList<FluxSlide>>()) {
        StepPlan vents = vent_cells_plan<R>(flux);
        vents.technique = {"flux_slide_vents", "as flux_slide, Erupt with a thread per vent cell",
                           "after Bilotta et al. 2011", Family::register_streaming};
        add_variant(registry, three, vents, {vents, flux, update_plan<R>(flux)});
    }
    for (const StepPlan& flux : flux_choices<R, true, TechniqueList<TileGather>>())
        add_variant(registry, four, flux,
                    {erupt_plan<R>(flux), flux, minimum_plan<R>(flux), update_plan<R>(flux)});
});

}  // namespace
}  // namespace camber::magflow
