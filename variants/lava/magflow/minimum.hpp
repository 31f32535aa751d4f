// Third kernel of MAGFLOW, the minimum of all cells' longest steps: by atomic minima, in two passes
// without atomic operations, or by a library.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include "harness/base/error.hpp"
#include "variants/lava/magflow/clock.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/magflow/parameters.hpp"

// Minimum of all cells' longest steps: per warp, per block, then one atomic minimum per block.
// Bilotta et al. 2011 used a library's minimum and read it back to the host in every step.
CAMBER_WORKLOAD_BEGIN(magflow)

// Longest step that the thread's cell allows; `longest` if the thread has no cell.
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

// two_pass: minimum of all cells' longest steps by blocks, which write one value each to memory,
// then by one more block. No atomic operations.
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

// library_minimum, read_back: minimum of all cells' longest steps by a library, over the field in
// memory. read_back also waits for the result on the host in every step, as the published program
// did (Bilotta et al. 2011), whose host compared the time with the end of the run.
CAMBER_WORKLOAD_BEGIN(magflow)

inline constexpr const char* limit_field = "step_limit";

template <class R>
class LibraryMinimumStage final : public Stage {
  public:
    LibraryMinimumStage(const StageContext& context, bool reads_back)
        : context_(context),
          clock_(context.store),
          reads_back_(reads_back),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))) {}

    // The library's minimum includes halo and padding, which are therefore set to the longest
    // possible step.
    void uploaded() override {
        std::byte longest[sizeof(R)];
        std::memcpy(longest, &longest_step_, sizeof(R));
        context_.queue.fill(context_.store.current(limit_field),
                            context_.store.layout(limit_field).elements(), longest);
    }
    void enqueue(int number) override {
        const FieldStore& store = context_.store;
        // The library reads and writes floating-point numbers, whose bits are those of the word.
        R* const dt = static_cast<R*>(store.current("dt"));
        context_.queue.algorithms().minimum(static_cast<const R*>(store.current(limit_field)),
                                            store.layout(limit_field).elements(), dt);
        if (!reads_back_) return;
        R length = 0;
        context_.queue.download(&length, sizeof(R), dt, sizeof(R), {sizeof(R), 1});
        if (!(length > 0))
            throw Error(ExitCode::wrong_result, "step " + std::to_string(number) +
                                                    " of magflow would last " +
                                                    std::to_string(length) + " s");
    }

  private:
    StageContext context_;
    Clock<R> clock_;
    bool reads_back_;
    R longest_step_;
};

template <class R>
StepPlan library_minimum_plan(const StepPlan& like, bool reads_back) {
    StepPlan plan = minimum_plan<R>(like);
    plan.technique =
        reads_back
            ? TechniqueInfo{"read_back",
                            "as halo, the shortest step by a library and read by the host every "
                            "time",
                            "Bilotta et al. 2011", Family::global_memory}
            : TechniqueInfo{"library_minimum",
                            "as halo, the shortest step by a library, which stays on the device",
                            "after Bilotta et al. 2011, who read it back", Family::global_memory};
    plan.make = makes<LibraryMinimumStage<R>>(reads_back);
    return plan;
}

CAMBER_TARGET_END
