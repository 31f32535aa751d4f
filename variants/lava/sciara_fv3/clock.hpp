// Steps of SCIARA-fv3 that depend on time: emission from the vents, and the clock, the minimum of
// the steps that cells allow, which the device finds and stores in one-cell fields.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "variants/stencil/views.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"
#include "workloads/lava/sciara_fv3/rules.hpp"

// One-cell field that every cell of the board reads.
CAMBER_TARGET_BEGIN

// Returns the first cell for any index: all lanes of a warp read one address.
template <class T>
class Grid<const sciara_fv3::Uniform<T>> {
  public:
    using Value = sciara_fv3::Uniform<T>;

    Grid() = default;
    Grid(const Value* base, const Layout& layout, const char* name)
        : cell_(reinterpret_cast<const T*>(base), layout, name) {}

    CAMBER_DEVICE Value operator()(int, int, Site site = Site::current()) const {
        return Value(cell_(0, 0, site));
    }
    CAMBER_DEVICE Value read_only(int, int, Site site = Site::current()) const {
        return Value(cell_.read_only(0, 0, site));
    }

  private:
    Grid<const T> cell_;
};

CAMBER_TARGET_END

// Views of a rule's fields, for kernels that store some of them elsewhere.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// True if an input may share a buffer with other inputs.
template <class Tag>
CAMBER_HD constexpr bool has_slot() {
    return requires {
        Tag::slot;
    };
}

// Views of all inputs that are separate fields; the caller sets the outputs.
template <class Rule>
Views<Rule> input_views(const StageContext& context) {
    Views<Rule> views;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        if constexpr (!has_slot<Tag>())
            get<Rule::Inputs::template index<Tag>>(views.inputs) = InputGrid<Tag>(
                static_cast<const typename Tag::Type*>(context.store.current(Tag::field)),
                context.store.layout(Tag::field), Tag::field);
    });
    views.parameters = parameters_of<Rule>(context.problem.parameters, 0);
    views.columns = context.problem.size.columns;
    views.rows = context.problem.size.rows;
    return views;
}

CAMBER_TARGET_END

// First step of SCIARA-fv3: emission from the vents, in place, before any cell reads a neighbor.
// The amount depends on time and duration of the last step, which are available only on the device.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R>
struct EmissionArguments {
    sciara_fv3::ClockParameters<R> clock;
    double slot_length;  // s
    R side;              // m
    R temperature;       // K
};

// Arguments of an emission. `rates` has one row per vent and one column per time slot, m^3/s.
template <class R>
struct EmissionFv3Views {
    Grid<R> thickness, temperature;
    Grid<const double> clock, rates;
    EmissionArguments<R> arguments;

    // `vent` is the number of the vent in the cell, from 1.
    CAMBER_DEVICE void emit(int row, int column, int vent) const {
        const double time = clock(0, 1);
        const double slot = ::floor(time / arguments.slot_length);
        if (!(slot < rates.columns())) return;
        const double rate = rates(vent - 1, static_cast<int>(slot));
        if (!(rate > 0)) return;
        const R last = sciara_fv3::counted(static_cast<R>(clock(0, 0)), arguments.clock);
        const R before = thickness(row, column);
        thickness(row, column) =
            before + sciara_fv3::emitted(static_cast<R>(rate), last, arguments.side);
        temperature(row, column) = arguments.temperature;
    }
};

// One thread per cell; only threads with a vent continue.
template <class R>
__global__ void emission_fv3_kernel(const Grid<const std::uint8_t> vents,
                                    const EmissionFv3Views<R> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    const int vent = vents(row, column);
    if (vent != 0) views.emit(row, column, vent);
}

// Rates of a problem on the device.
template <class R>
class EmissionFv3 {
  public:
    // Adds the clock to the store's fields: a field of two cells cannot be part of a plan.
    explicit EmissionFv3(const StageContext& context)
        : store_(context.store),
          emission_(sciara_fv3::emission_parameters(context.problem.parameters)),
          rates_layout_(Layout::make(std::max(1, emission_.slots), std::max(1, emission_.vents), 0,
                                     unaligned, sizeof(double))),
          rates_(context.queue, rates_layout_.elements() * sizeof(double)),
          arguments_{sciara_fv3::clock_parameters<R>(context.problem.parameters),
                     emission_.slot_length, static_cast<R>(emission_.side),
                     static_cast<R>(emission_.temperature)} {
        constexpr std::byte zero[sizeof(double)] = {};
        constexpr Size size = sciara_fv3::clock_size;
        if (!store_.has(sciara_fv3::clock_field))
            store_.add(sciara_fv3::clock_field, ElementType::float64,
                       Layout::make(size.columns, size.rows, 0, unaligned, sizeof(double)), zero,
                       Buffers::one);
        emission_.rates.resize(rates_layout_.elements());
        const std::size_t bytes = emission_.rates.size() * sizeof(double);
        context.queue.upload(rates_.get(), bytes, emission_.rates.data(), bytes, {bytes, 1});
    }

    EmissionFv3Views<R> views() const {
        return {grid<R>(sciara_fv3::thickness_field),
                grid<R>(sciara_fv3::temperature_field),
                grid<const double>(sciara_fv3::clock_field),
                {static_cast<const double*>(rates_.get()), rates_layout_, "emission_rates"},
                arguments_};
    }
    // Emission by the current values.
    template <class T>
    Grid<T> grid(const char* field) const {
        return {static_cast<T*>(store_.current(field)), store_.layout(field), field};
    }

  private:
    FieldStore& store_;
    sciara_fv3::Emission emission_;
    Layout rates_layout_;
    Memory rates_;
    EmissionArguments<R> arguments_;
};

template <class R>
class EmissionFv3Stage final : public Stage {
  public:
    EmissionFv3Stage(const StageContext& context, Region block)
        : queue_(context.queue),
          emission_(context),
          shape_(covering(context.problem.size, block)) {}

    void enqueue(int) override {
        launch(queue_, "emission", shape_, emission_fv3_kernel<R>,
               emission_.template grid<const std::uint8_t>(sciara_fv3::vents_field),
               emission_.views());
    }

  private:
    Queue& queue_;
    EmissionFv3<R> emission_;
    LaunchShape shape_;
};

// Emission outputs count as read only, because the kernel changes current values in place.
template <class R>
StepPlan emission_fv3_plan(const StepPlan& like) {
    StepPlan plan = own_cell_plan(like, "emission",
                                  {reads(sciara_fv3::vents_field, ElementType::uint8),
                                   reads(sciara_fv3::thickness_field, element_of<R>()),
                                   reads(sciara_fv3::temperature_field, element_of<R>())});
    plan.make = StageMaker(makes<EmissionFv3Stage<R>>(like.shape.block), 0);
    return plan;
}

CAMBER_TARGET_END

// The clock of SCIARA-fv3: the minimum of the steps that cells allow, found on the device. Blocks
// reduce by shuffles. The board's minimum is an atomic minimum of bit patterns, which order
// nonnegative numbers correctly. One thread then sets the clock. The host does not take part and
// does not wait. A minimum does not depend on the order, so all forms give the same bits.
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

// Lowers `least` to the minimum of the block's values; called by every thread of the block.
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

// Candidates and minimum in one kernel: no candidate passes through global memory.
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

// Common base of both forms: memory of the minimum, and the launch that sets the clock.
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
    // Devices take the minimum of the clock's first element, the duration, instead of the
    // candidates. Rounding is monotonic, so the smallest product is that of the smallest candidate.
    plan.sharing.least = sciara_fv3::clock_field;
    return plan;
}

// `candidates` is the plan of the rule that the clock includes.
template <class R, sciara_fv3::Trigonometry form>
StepPlan fused_clock_plan(const StepPlan& candidates) {
    StepPlan plan = candidates;
    std::erase_if(plan.fields, [](const FieldUse& use) { return use.written; });
    plan.make = makes<FusedCandidateStage<R, form>>(plan.shape.block);
    return plan;
}

CAMBER_TARGET_END
