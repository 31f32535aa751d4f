// SCIARA-fv2 launched on the cells that lava can reach.
#include <memory>
#include <vector>

#include "variants/lava/active/techniques.hpp"
#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/stencil/catalogue.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

// The steps of SCIARA-fv2 over launch sets: emission by the list of vents, outflows, exchange and
// cooling.
CAMBER_TARGET_BEGIN

template <>
struct Spreading<sciara_fv2::Exchange> {
    using Before = sciara_fv2::Thickness<0>;
};

CAMBER_TARGET_END

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// First kernel, one block: vents emit, and the set for this step is taken over.
template <class = void>  // several sources include it; nvcc takes no inline kernel
__global__ void vents_fv2_kernel(const VentCells vents, const EmissionViews views,
                                 const Grid<int> record) {
    hand_over(record);
    vents.visit([&](int row, int column, int vent) { views.emit(row, column, vent); });
}

class VentsFv2Stage final : public Stage {
  public:
    VentsFv2Stage(const StageContext& context, ActiveCells* cells)
        : context_(context),
          emission_(sciara_fv2::emission_parameters(context.problem.parameters)),
          cells_(*cells) {}

    void enqueue(int number) override {
        cells_.begin_step(number, context_.store);
        launch(context_.queue, "emission", {{1}, {vent_threads}}, vents_fv2_kernel<>,
               cells_.vents(), emission_views(context_.store, emission_, number), cells_.record());
    }

  private:
    StageContext context_;
    sciara_fv2::Emission emission_;
    ActiveCells& cells_;
};

struct SciaraFv2Sets {
    static constexpr const char* workload = "sciara_fv2";
    static constexpr ElementType cell = ElementType::float64;

    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        StepPlan emission = emission_plan(like);
        emission.make = makes<VentsFv2Stage>(cells);
        return {emission, launch_set_plan<sciara_fv2::Outflows>(like, cells),
                launch_set_plan<sciara_fv2::Exchange>(like, cells),
                launch_set_plan<sciara_fv2::Cooling>(like, cells)};
    }

    // Frame cells with lava or a temperature count as active, because a step removes both. So do
    // cells with solid lava: an uninterrupted run still launches all cells that lava has reached.
    static lava::Mask find_active(const State& initial) {
        const auto thickness = initial.field(thickness_field).cells<double>();
        const auto temperature = initial.field(temperature_field).cells<double>();
        const auto solid = initial.field(lava::solidified_field).cells<double>();
        const auto frame = initial.field(frame_field).cells<std::uint8_t>();
        lava::Mask mask(thickness.size());
        for (std::size_t i = 0; i < mask.size(); ++i)
            mask[i] = thickness[i] != 0 || solid[i] != 0 ||
                      (frame[i] != 0 && temperature[i] != 0);
        return mask;
    }
};

CAMBER_TARGET_END

namespace camber::sciara_fv2 {

namespace {

const Registration sciara_fv2_active_sets_variants([](Registry& registry) {
    LaunchSetVariants<SciaraFv2Sets>(registry).add_all();
});

}  // namespace
}  // namespace camber::sciara_fv2
