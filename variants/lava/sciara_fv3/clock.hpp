// The clock of SCIARA-fv3: the minimum of the steps that cells allow, found on the device.
// Blocks reduce by shuffles; the board's minimum is an atomic minimum of bit patterns, which
// order nonnegative numbers correctly. One thread then sets the clock. The host is not
// involved and does not wait. A minimum does not depend on the order, so all ways give the
// same bits.
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>

#include "variants/lava/sciara_fv3/emission.hpp"
#include "variants/lava/sciara_fv3/views.hpp"
#include "variants/stencil/plans.hpp"
#include "workloads/lava/sciara_fv3/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R>
using BitsOf = std::conditional_t<sizeof(R) == 4, unsigned, unsigned long long>;

template <class To, class From>
CAMBER_HD To with_same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

// The block's least value into `least`; every thread of the block calls it.
template <class R>
CAMBER_DEVICE void take_block_minimum(R value, const Grid<BitsOf<R>>& least) {
    constexpr int warp = 32;
    constexpr int most_warps = 32;
    constexpr unsigned all = 0xffffffff;
    __shared__ Tile<R, 1, most_warps> of_warps;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int warps = blockDim.x * blockDim.y / warp;
    for (int distance = warp / 2; distance > 0; distance /= 2)
        value = smaller(value, __shfl_down_sync(all, value, distance));
    if (thread % warp == 0) of_warps(0, thread / warp) = value;
    __syncthreads();
    if (thread != 0) return;
    for (int w = 1; w < warps; ++w) value = smaller(value, R(of_warps(0, w)));
    atomicMin(&least(0, 0), with_same_bits<BitsOf<R>>(value));
}

template <class R>
__global__ void candidate_minimum_kernel(const Grid<const R> candidates, const R longest,
                                         const Grid<BitsOf<R>> least) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = row < candidates.rows() && column < candidates.columns();
    take_block_minimum(load_if(inside, candidates, row, column, longest), least);
}

// candidates and minimum in one: no candidate passes through global memory.
template <class R, sciara_fv3::Trigonometry form>
__global__ void fused_candidate_kernel(const Views<sciara_fv3::Candidates<R, form>> views,
                                       const Grid<BitsOf<R>> least) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    R value = views.parameters.longest;
    if (views.inside(row, column))
        value = apply(views, [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        });
    take_block_minimum(value, least);
}

// Advances time by the last step, sets the next step, and resets the minimum.
template <class R>
__global__ void clock_kernel(const Grid<double> clock, const Grid<BitsOf<R>> least,
                             const sciara_fv3::ClockParameters<R> parameters) {
    const R last = sciara_fv3::counted(static_cast<R>(double(clock(0, 0))), parameters);
    const double time = clock(0, 1);
    const BitsOf<R> bits = least(0, 0);
    clock(0, 1) = time + last;
    clock(0, 0) = parameters.relaxation * with_same_bits<R>(bits);
    least(0, 0) = with_same_bits<BitsOf<R>>(parameters.longest);
}

// Common base of both ways: the minimum's memory and the launch that sets the clock.
template <class R>
class ClockStage : public Stage {
  public:
    explicit ClockStage(const StageContext& context)
        : context_(context),
          parameters_(sciara_fv3::clock_parameters<R>(context.problem.parameters)),
          memory_(context.queue, sizeof(R)),
          least_(static_cast<BitsOf<R>*>(memory_.get()),
                 Layout::make(1, 1, 0, unaligned, sizeof(R)), "least_candidate") {}

    void uploaded() override {
        std::byte longest[sizeof(R)];
        std::memcpy(longest, &parameters_.longest, sizeof(R));
        context_.queue.fill(memory_.get(), 1, longest);
    }
    void enqueue(int) override {
        enqueue_minimum();
        launch(
            context_.queue, "clock", {{1}, {1}}, clock_kernel<R>,
            Grid<double>(static_cast<double*>(context_.store.current(sciara_fv3::clock_field)),
                         context_.store.layout(sciara_fv3::clock_field), sciara_fv3::clock_field),
            least_, parameters_);
    }

  protected:
    virtual void enqueue_minimum() = 0;

    StageContext context_;
    sciara_fv3::ClockParameters<R> parameters_;

  private:
    Memory memory_;

  protected:
    Grid<BitsOf<R>> least_;
};

template <class R>
class CandidateMinimumStage final : public ClockStage<R> {
  public:
    CandidateMinimumStage(const StageContext& context, Region block)
        : ClockStage<R>(context), shape_(covering(context.problem.size, block)) {}

  private:
    void enqueue_minimum() override {
        const FieldStore& store = this->context_.store;
        constexpr const char* field = sciara_fv3::candidate_field;
        launch(
            this->context_.queue, "minimum", shape_, candidate_minimum_kernel<R>,
            Grid<const R>(static_cast<const R*>(store.current(field)), store.layout(field), field),
            this->parameters_.longest, this->least_);
    }

    LaunchShape shape_;
};

template <class R, sciara_fv3::Trigonometry form>
class FusedCandidateStage final : public ClockStage<R> {
  public:
    FusedCandidateStage(const StageContext& context, Region block)
        : ClockStage<R>(context), shape_(covering(context.problem.size, block)) {}

  private:
    void enqueue_minimum() override {
        using Rule = sciara_fv3::Candidates<R, form>;
        launch(this->context_.queue, "fused_minimum", shape_, fused_candidate_kernel<R, form>,
               input_views<Rule>(this->context_), this->least_);
    }

    LaunchShape shape_;
};

template <class R>
StepPlan clock_plan(const StepPlan& like) {
    StepPlan plan =
        own_cell_plan(like, "clock", {reads(sciara_fv3::candidate_field, element_of<R>())});
    plan.make = StageMaker(makes<CandidateMinimumStage<R>>(like.shape.block), 0);
    // The duration, which comes first: what rounding made of a product grows with its factor, so
    // that the least product is that of the least candidate.
    plan.sharing.least = sciara_fv3::clock_field;
    return plan;
}

// `candidates`: the plan of the rule that it takes in.
template <class R, sciara_fv3::Trigonometry form>
StepPlan fused_clock_plan(const StepPlan& candidates) {
    StepPlan plan = candidates;
    std::erase_if(plan.fields, [](const FieldUse& use) { return use.written; });
    plan.make = makes<FusedCandidateStage<R, form>>(plan.shape.block);
    return plan;
}

CAMBER_TARGET_END
