// Scattering SCIARA-fv3 over launch sets, as combined in the thesis: atomic additions on the box of
// active cells, and on their list. A cell that gives lava to a cell without lava adds that cell to
// the set.
#pragma once

#include <memory>
#include <vector>

#include "variants/lava/sciara_fv3/active_sets.hpp"
#include "variants/lava/sciara_fv3/scatter.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R, class Set>
__global__ void scatter_set_fv3_kernel(const Views<ScatteredRule<R>> views, const StateToCome<R> to,
                                       const Set set) {
    set.visit([&](int row, int column) {
        hand_on<CentreSums::in_registers, R>(views, to, row, column,
                                             [&](int r, int c) { set.add(r, c); });
    });
}

template <class R, class Cells>
class ScatterSetFv3Stage final : public Stage {
  public:
    ScatterSetFv3Stage(const StageContext& context, const Cells* cells)
        : context_(context), cells_(*cells) {}

    void enqueue(int) override {
        launch(context_.queue, "scatter", cells_.shape(),
               scatter_set_fv3_kernel<R, typename Cells::Set>, before_exchange<R>(context_),
               state_to_come<R>(context_.store), cells_.set());
    }

  private:
    StageContext context_;
    const Cells& cells_;
};

template <class R>
struct SciaraFv3ScatterSets : SciaraFv3Sets<R> {
    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        std::vector<StepPlan> plans = SciaraFv3Sets<R>::plans(like, cells);
        plans.resize(2);  // emission and clock
        plans.push_back(launch_set_plan<HeatSwitch<R>>(like, cells));
        plans.push_back(scatter_plan_like<R>(like));
        plans.back().make = makes<ScatterSetFv3Stage<R, Cells>>(cells);
        plans.push_back(launch_set_plan<CoolingOfHeat<R>>(like, cells));
        std::erase_if(plans.back().fields,
                      [](const FieldUse& use) { return use.name == clock_field; });
        return plans;
    }
};

template <class R>
void add_scatter_sets(Registry& registry) {
    static constexpr const char* source = "thesis on SCIARA-fv3, atomic operations";
    static constexpr TechniqueInfo box{
        "atomics_bounding_box", "as atomics_centre, on the box of all cells that lava has reached",
        source, Family::global_memory};
    static constexpr TechniqueInfo list{
        "atomics_active_list", "as atomics_centre, on a list of the cells with or beside lava",
        source, Family::global_memory};
    static constexpr TechniqueInfo sorted{
        "atomics_sorted_list", "as atomics_active_list, in ascending order every m steps", source,
        Family::global_memory};
    LaunchSetVariants<SciaraFv3ScatterSets<R>> variants(registry);
    constexpr int multiple = LaunchSets::columns_in_line;
    for (const Region block : {Region{64, 4}, Region{16, 16}})
        variants.add_boxes(box, "device/" + block.name() + "/from32", block,
                           {.column_multiple = multiple});
    variants.add_boxes(box, "host/64x4/from32/k32", {64, 4},
                       {.column_multiple = multiple, .read_every = 32});
    variants.add_list(list, "128x1", {.threads = 128});
    variants.add_list(list, "256x1", {});
    for (const int steps : {16, 128})
        variants.add_list(sorted, "256x1/m" + std::to_string(steps), {.sort_every = steps});
}

CAMBER_TARGET_END
