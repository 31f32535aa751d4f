// The steps of MAGFLOW over launch sets: eruption by the list of vents, fluxes with their shortest
// step, update.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "variants/lava/active/techniques.hpp"
#include "variants/lava/magflow/erupt.hpp"
#include "variants/lava/magflow/flux_stage.hpp"
#include "variants/lava/magflow/update.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// First kernel, one block: computes emissions, resets the minimum, and takes over the set for this
// step.
template <class R>
__global__ void vents_magflow_kernel(const VentCells vents, const EruptionViews<R> views,
                                     const Grid<int> record) {
    hand_over(record);
    if (threadIdx.x == 0) views.begin_minimum();
    vents.visit([&](int row, int column, int vent) { views.erupt(row, column, vent); });
}

// Flux kernel. Cells outside of the set allow the longest step, so they do not affect the minimum.
template <class Rule, class Set>
__global__ void set_flux_kernel(const Views<Rule> views, const Set set,
                                const Grid<Word<typename FluxTraits<Rule>::Real>> dt) {
    const auto longest = word_of(views.parameters.longest_step);
    auto least = longest;
    const bool any = set.visit([&](int row, int column) {
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        };
        const auto result = apply(views, read);
        store(views, row, column, result);
        const auto own = word_of(get<2>(result));
        least = own < least ? own : least;
    });
    if (any) lower_to_least(least, dt, longest);
}

template <class R, class Set>
__global__ void set_update_kernel(const UpdateViews<R> views, const Set set) {
    const R dt = step_length<R>(views.dt);
    if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0) advance_time(views.time, dt);
    set.visit([&](int row, int column) {
        if (update_cell(views, dt, row, column)) set.add(row, column);
    });
}

template <class R>
class VentsMagflowStage final : public Stage {
  public:
    VentsMagflowStage(const StageContext& context, ActiveCells* cells)
        : context_(context), eruption_(context), cells_(*cells) {}

    void enqueue(int number) override {
        cells_.begin_step(number, context_.store);
        launch(context_.queue, "erupt", {{1}, {vent_threads}}, vents_magflow_kernel<R>,
               cells_.vents(), eruption_.views(), cells_.record());
    }

  private:
    StageContext context_;
    Eruption<R> eruption_;
    ActiveCells& cells_;
};

template <class Rule, class Cells>
class SetFluxStage final : public RuleStage<Rule> {
  public:
    SetFluxStage(const StageContext& context, const Cells* cells)
        : RuleStage<Rule>(context), clock_(context.store), cells_(*cells) {}

    void uploaded() override { restore_outputs<Rule>(this->queue(), this->store()); }
    void enqueue(int number) override {
        if (cells_.restores()) restore_outputs<Rule>(this->queue(), this->store());
        launch(this->queue(), kernel_label<Rule>(), cells_.shape(),
               set_flux_kernel<Rule, typename Cells::Set>, this->views(number), cells_.set(),
               clock_.dt());
    }

  private:
    Clock<typename FluxTraits<Rule>::Real> clock_;
    const Cells& cells_;
};

template <class R, class Cells>
class SetUpdateStage final : public Stage {
  public:
    SetUpdateStage(const StageContext& context, const Cells* cells)
        : queue_(context.queue),
          views_(update_views(context, Clock<R>(context.store))),
          cells_(*cells) {}

    void enqueue(int) override {
        launch(queue_, "update", cells_.shape(), set_update_kernel<R, typename Cells::Set>, views_,
               cells_.set());
    }

  private:
    Queue& queue_;
    UpdateViews<R> views_;
    const Cells& cells_;
};

template <class R>
struct MagflowOnSets {
    static constexpr const char* workload = "magflow";
    static constexpr ElementType cell = element_of<R>();

    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        StepPlan erupt = erupt_plan<R>(like);
        erupt.make = makes<VentsMagflowStage<R>>(cells);
        using Compensated = magflow::Flux<R, true, false>;
        using Plain = magflow::Flux<R, false, false>;
        StepPlan flux = rule_plan<Compensated>(like);
        flux.make = [cells](const StageContext& context) -> std::unique_ptr<Stage> {
            if (magflow::compensated(context.problem.parameters))
                return std::make_unique<SetFluxStage<Compensated, Cells>>(context, cells);
            return std::make_unique<SetFluxStage<Plain, Cells>>(context, cells);
        };
        // Same as in pipelines.hpp.
        flux.sharing.sent = {"volume_flux", "heat_flux"};
        flux.sharing.least = "dt";
        // Only cells with a vent read the emission.
        for (FieldUse& use : flux.fields)
            if (use.name == std::string_view("emission")) use.read = false;
        StepPlan update = update_plan<R>(like);
        update.make = makes<SetUpdateStage<R, Cells>>(cells);
        return {erupt, flux, update};
    }

    // Cells with solid lava count as active: the box covers all cells that lava has ever reached.
    static lava::Mask find_active(const State& initial) {
        lava::Mask mask(static_cast<std::size_t>(initial.field("vents").size().cells()));
        for (const char* field : {"thickness", "solidified"}) {
            const auto cells = initial.field(field).cells<R>();
            for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] != 0 || cells[i] != 0;
        }
        return mask;
    }
};

template <class R>
struct MagflowSets : MagflowOnSets<R> {
    static constexpr std::array<const char*, 1> common_fields{"time"};
};

CAMBER_TARGET_END
