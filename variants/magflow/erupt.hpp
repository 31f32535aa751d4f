// The first kernel of MAGFLOW, Erupt: what every vent gives in this step, and the longest step as
// the minimum's start. A thread per cell, of which those with a vent go on (Rustico 2012).
#pragma once

#include <memory>

#include "variants/magflow/clock.hpp"
#include "variants/stencil_stage.hpp"
#include "workloads/magflow/effusion.hpp"
#include "workloads/magflow/parameters.hpp"

CAMBER_TARGET_BEGIN

template <class R>
__global__ void erupt_kernel(const Grid<const std::uint8_t> vents, const Grid<R> emission,
                             const Grid<const double> rates, const magflow::CurveShape shape,
                             const Grid<const double> time, const Grid<Word<R>> dt,
                             const R longest_step) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    if (row == 0 && column == 0) dt(0, 0) = magflow::bits_of(longest_step);
    const int vent = vents(row, column);
    if (vent == 0) return;
    const double now = time(0, 0);
    const double rate = magflow::rate_at(shape, now, [&](int slot) -> double {
        const double value = rates(vent - 1, slot);
        return value;
    });
    emission(row, column) = static_cast<R>(rate);
}

template <class R>
class EruptStage final : public Stage {
  public:
    EruptStage(const StageContext& context, Region block)
        : context_(context),
          clock_(context.store),
          shape_(covering(context.problem.size, block, block)),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))),
          effusion_(magflow::effusion(context.problem.parameters)),
          table_(context.queue, sizeof(double) * slots() * vents()) {
        const std::size_t bytes = sizeof(double) * effusion_.rates.size();
        if (bytes > 0)
            context.queue.upload(table_.get(), bytes, effusion_.rates.data(), bytes, {bytes, 1});
    }

    void enqueue(int) override {
        FieldStore& store = context_.store;
        const Grid<const double> rates(
            static_cast<const double*>(table_.get()),
            Layout::make(slots(), vents(), 0, sizeof(double), sizeof(double)), "rates");
        launch(context_.queue, "erupt", shape_, erupt_kernel<R>,
               current<const std::uint8_t>(store, "vents"), current<R>(store, "emission"), rates,
               effusion_.shape, clock_.template time<const double>(), clock_.dt(), longest_step_);
    }

  private:
    // No memory is of size 0.
    int slots() const { return effusion_.shape.slots > 0 ? effusion_.shape.slots : 1; }
    int vents() const { return effusion_.vents > 0 ? effusion_.vents : 1; }

    StageContext context_;
    Clock<R> clock_;
    LaunchShape shape_;
    R longest_step_;
    magflow::Effusion effusion_;
    Memory table_;
};

// The emission counts as neither read nor written: only cells with a vent have one.
template <class R>
StepPlan erupt_plan(const StepPlan& like) {
    StepPlan plan = like;
    plan.step = "erupt";
    plan.region = plan.block;
    plan.shared_bytes = 0;
    plan.fields = {{"vents", ElementType::uint8, {}, true, false},
                   {"emission", element_of<R>(), {}, false, false}};
    plan.make = [block = like.block](const StageContext& context) {
        return std::make_unique<EruptStage<R>>(context, block);
    };
    return plan;
}

CAMBER_TARGET_END
