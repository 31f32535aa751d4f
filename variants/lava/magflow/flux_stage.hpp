// Stage of MAGFLOW's second kernel, CalcFlux, for forms that also take the clock.
#pragma once

#include <memory>
#include <utility>

#include "variants/lava/magflow/clock.hpp"
#include "variants/stencil/catalogue.hpp"
#include "workloads/lava/magflow/rules.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Type traits of a flux rule.
template <class Rule>
struct FluxTraits;
template <class R, bool is_compensated, bool writes_limit>
struct FluxTraits<magflow::Flux<R, is_compensated, writes_limit>> {
    using Real = R;
    static constexpr bool compensated = is_compensated;
    static constexpr bool keeps_limit = writes_limit;
};

template <class Rule>
using FluxKernel = void (*)(Views<Rule>, Grid<Word<typename FluxTraits<Rule>::Real>>);

template <class Rule>
class FluxStage final : public RuleStage<Rule> {
  public:
    FluxStage(const StageContext& context, FluxKernel<Rule> kernel, const LaunchShape& shape)
        : RuleStage<Rule>(context), clock_(context.store), kernel_(kernel), shape_(shape) {}

    void enqueue(int number) override {
        launch(this->queue(), kernel_label<Rule>(), shape_, kernel_, this->views(number),
               clock_.dt());
    }

  private:
    Clock<typename FluxTraits<Rule>::Real> clock_;
    FluxKernel<Rule> kernel_;
    LaunchShape shape_;
};

// `dynamic_shared` is in bytes per block.
template <class Rule>
void add_flux(Catalogue<Rule>& catalogue, const TechniqueInfo& technique, Region block,
              FluxKernel<Rule> kernel, std::size_t dynamic_shared = 0) {
    StepPlan plan = Catalogue<Rule>::plan_of(
        technique, {.block = block, .halo = 1, .alignment = 128, .shared_bytes = dynamic_shared});
    const auto make = [=](const StageContext& context) {
        LaunchShape shape = covering(context.problem.size, block);
        shape.dynamic_shared = dynamic_shared;
        return std::make_unique<FluxStage<Rule>>(context, kernel, shape);
    };
    plan.make = StageMaker(make, 1);
    catalogue.add(std::move(plan));
}

// Writes a cell's result. If no other kernel computes the minimum, also lowers dt to the cell's
// longest step. All threads of a block must call this function; `works` is true if the thread has a
// cell.
template <class Rule, class Result>
CAMBER_DEVICE void store_flux(const Views<Rule>& views, bool works, int row, int column,
                              const Result& result,
                              const Grid<Word<typename FluxTraits<Rule>::Real>>& dt) {
    if (works) store(views, row, column, result);
    if constexpr (!FluxTraits<Rule>::keeps_limit)
        lower_to_least(word_of(get<2>(result)), dt, word_of(views.parameters.longest_step));
}

CAMBER_TARGET_END
