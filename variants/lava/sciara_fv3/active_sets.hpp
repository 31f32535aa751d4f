// The steps of SCIARA-fv3 over launch sets: emission by the list of vents, candidates and clock in
// one, outflow, exchange and cooling.
#pragma once

#include <memory>
#include <vector>

#include "variants/lava/active/techniques.hpp"
#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_TARGET_BEGIN

template <class R>
struct Spreading<sciara_fv3::Exchange<R>> {
    using Before = sciara_fv3::Thickness<R, 0>;
};

CAMBER_TARGET_END

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// One block: vents emit, and the set of this step is taken over.
template <class R>
__global__ void vents_fv3_kernel(const VentCells vents, const EmissionFv3Views<R> views,
                                 const Grid<int> record) {
    hand_over(record);
    vents.visit([&](int row, int column, int vent) { views.emit(row, column, vent); });
}

// Same as fused_candidate_kernel, over the set. Cells outside of it allow the longest step.
template <class R, class Set>
__global__ void set_candidate_fv3_kernel(
    const Views<sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>> views,
    const Set set, const Grid<BitsOf<R>> least) {
    R value = views.parameters.longest;
    const bool any = set.visit([&](int row, int column) {
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        };
        value = smaller(value, apply(views, read));
    });
    if (any) take_block_minimum(value, least);
}

template <class R>
class VentsFv3Stage final : public Stage {
  public:
    VentsFv3Stage(const StageContext& context, ActiveCells* cells)
        : context_(context), emission_(context), cells_(*cells) {}

    void enqueue(int number) override {
        cells_.begin_step(number, context_.store);
        launch(context_.queue, "emission", {{1}, {vent_threads}}, vents_fv3_kernel<R>,
               cells_.vents(), emission_.views(), cells_.record());
    }

  private:
    StageContext context_;
    EmissionFv3<R> emission_;
    ActiveCells& cells_;
};

template <class R, class Cells>
class SetCandidateFv3Stage final : public ClockStage<R> {
  public:
    SetCandidateFv3Stage(const StageContext& context, const Cells* cells)
        : ClockStage<R>(context), cells_(*cells) {}

  private:
    void enqueue_minimum() override {
        using Rule = sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>;
        launch(this->context_.queue, "fused_minimum", cells_.shape(),
               set_candidate_fv3_kernel<R, typename Cells::Set>, input_views<Rule>(this->context_),
               cells_.set(), this->least_);
    }

    const Cells& cells_;
};

template <class R>
struct SciaraFv3Sets {
    static constexpr const char* workload = "sciara_fv3";
    static constexpr ElementType cell = element_of<R>();

    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        constexpr Trigonometry form = Trigonometry::branching;
        StepPlan emission = emission_fv3_plan<R>(like);
        emission.make = makes<VentsFv3Stage<R>>(cells);
        StepPlan clock = rule_plan<Candidates<R, form>>(like);
        std::erase_if(clock.fields, [](const FieldUse& use) { return use.written; });
        clock.make = makes<SetCandidateFv3Stage<R, Cells>>(cells);
        std::vector<StepPlan> plans{emission, clock, launch_set_plan<Outflow<R, form>>(like, cells),
                                    launch_set_plan<Exchange<R>>(like, cells),
                                    launch_set_plan<Cooling<R>>(like, cells)};
        // One cell for the board, it is none of the fields that plans share.
        for (StepPlan& plan : plans)
            std::erase_if(plan.fields, [](const FieldUse& use) { return use.name == clock_field; });
        return plans;
    }

    // A step takes momentum from cells without lava.
    static lava::Mask find_active(const State& initial) {
        lava::Mask mask(static_cast<std::size_t>(initial.field(vents_field).size().cells()));
        for (const char* field : {thickness_field, momentum_x_field, momentum_y_field}) {
            const auto cells = initial.field(field).cells<R>();
            for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] != 0 || cells[i] != 0;
        }
        return mask;
    }
};

CAMBER_TARGET_END
