// two_pass: minimum of all cells' longest steps by blocks, one value per block in memory, then by
// one more block. No atomic operations.
#pragma once

#include <memory>

#include "variants/lava/magflow/minimum.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

template <class R>
__global__ void block_minima_kernel(const Grid<const R> limits, const Grid<Word<R>> minima,
                                    const R longest_step) {
    const Word<R> least = magflow_block_least(magflow_cell_limit(limits, word_of(longest_step)));
    if (threadIdx.x == 0 && threadIdx.y == 0)
        minima(0, static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x)) = least;
}

template <class R>
__global__ void least_minimum_kernel(const Grid<const Word<R>> minima, const Grid<Word<R>> dt) {
    Word<R> least = minima(0, 0);
    for (int i = threadIdx.x; i < minima.columns(); i += blockDim.x) {
        const Word<R> other = minima(0, i);
        least = other < least ? other : least;
    }
    least = magflow_block_least(least);
    if (threadIdx.x == 0) dt(0, 0) = least;
}

template <class R>
class TwoPassMinimumStage final : public Stage {
  public:
    TwoPassMinimumStage(const StageContext& context, Region block)
        : context_(context),
          clock_(context.store),
          shape_(covering(context.problem.size, block)),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))),
          layout_(Layout::make(static_cast<int>(shape_.grid.x * shape_.grid.y), 1, 0,
                               sizeof(Word<R>), sizeof(Word<R>))),
          minima_(context.queue, layout_.elements() * sizeof(Word<R>)) {}

    void enqueue(int) override {
        launch(context_.queue, "block_minima", shape_, block_minima_kernel<R>,
               current<const R>(context_.store, "step_limit"), minima<Word<R>>(), longest_step_);
        launch(context_.queue, "minimum", {{1}, {one_block}}, least_minimum_kernel<R>,
               minima<const Word<R>>(), clock_.dt());
    }

  private:
    static constexpr unsigned one_block = 256;  // threads

    template <class T>
    Grid<T> minima() const {
        return {static_cast<T*>(minima_.get()), layout_, "minima"};
    }

    StageContext context_;
    Clock<R> clock_;
    LaunchShape shape_;
    R longest_step_;
    Layout layout_;
    Memory minima_;
};

template <class R>
StepPlan two_pass_plan(const StepPlan& like) {
    StepPlan plan = minimum_plan<R>(like);
    plan.technique = {
        "two_pass_minimum", "as halo, the shortest step by blocks, then by one block more",
        "after Bilotta et al. 2011, who took a library's minimum", Family::global_memory};
    plan.make = makes<TwoPassMinimumStage<R>>(like.shape.block);
    return plan;
}

CAMBER_TARGET_END
