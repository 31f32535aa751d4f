// The third kernel of MAGFLOW, the minimum of all cells' longest steps: per warp, per block, then
// one atomic minimum per block. Bilotta et al. 2011 used a library's minimum and read it back to
// the host in every step.
#pragma once

#include <memory>

#include "variants/lava/magflow/clock.hpp"
#include "variants/stencil/plans.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/magflow/parameters.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Time step that the thread's cell allows; `longest` if it has no cell.
template <class R>
CAMBER_DEVICE Word<R> magflow_cell_limit(const Grid<const R>& limits, Word<R> longest) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= limits.rows() || column >= limits.columns()) return longest;
    const R limit = limits(row, column);
    return word_of(limit);
}

template <class R>
__global__ void minimum_kernel(const Grid<const R> limits, const Grid<Word<R>> dt,
                               const R longest_step) {
    const Word<R> longest = word_of(longest_step);
    lower_to_least(magflow_cell_limit(limits, longest), dt, longest);
}

template <class R>
class MinimumStage final : public Stage {
  public:
    MinimumStage(const StageContext& context, Region block)
        : context_(context),
          clock_(context.store),
          shape_(covering(context.problem.size, block)),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))) {}

    void enqueue(int) override {
        launch(context_.queue, "minimum", shape_, minimum_kernel<R>,
               current<const R>(context_.store, "step_limit"), clock_.dt(), longest_step_);
    }

  private:
    StageContext context_;
    Clock<R> clock_;
    LaunchShape shape_;
    R longest_step_;
};

template <class R>
StepPlan minimum_plan(const StepPlan& like) {
    StepPlan plan = own_cell_plan(like, "minimum", {reads("step_limit", element_of<R>())});
    plan.make = StageMaker(makes<MinimumStage<R>>(like.shape.block), 0);
    plan.sharing.least = "dt";
    return plan;
}

CAMBER_TARGET_END
