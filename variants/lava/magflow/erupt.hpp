// The first kernel of MAGFLOW, Erupt: emission of every vent in this step, and reset of the longest
// step for the minimum. One thread per cell; only threads with a vent continue (Rustico 2012).
#pragma once

#include <memory>

#include "variants/lava/magflow/clock.hpp"
#include "variants/stencil/plans.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/magflow/effusion.hpp"
#include "workloads/lava/magflow/parameters.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// The rates of all vents on a queue, a row per vent.
class MagflowRates {
  public:
    MagflowRates(Queue& queue, const ParameterSet& parameters)
        : effusion_(magflow::effusion(parameters)),
          table_(queue, sizeof(double) * slots() * vents()) {
        const std::size_t bytes = sizeof(double) * effusion_.rates.size();
        if (bytes > 0) queue.upload(table_.get(), bytes, effusion_.rates.data(), bytes, {bytes, 1});
    }
    const magflow::Effusion& effusion() const { return effusion_; }
    Grid<const double> table() const {
        return {static_cast<const double*>(table_.get()),
                Layout::make(slots(), vents(), 0, sizeof(double), sizeof(double)), "rates"};
    }

  private:
    // No memory is of size 0.
    int slots() const { return effusion_.shape.slots > 0 ? effusion_.shape.slots : 1; }
    int vents() const { return effusion_.vents > 0 ? effusion_.vents : 1; }

    magflow::Effusion effusion_;
    Memory table_;
};

// Emission rate of a cell of a vent, counted from 1, at a time, m^3/s.
template <class R>
CAMBER_DEVICE R emission_at(int vent, double now, const Grid<const double>& rates,
                            const magflow::CurveShape& shape, Site site = Site::current()) {
    const CallPath path(site);
    return static_cast<R>(magflow::rate_at(shape, now, [&](int slot) -> double {
        const double value = rates(vent - 1, slot);
        return value;
    }));
}

// Arguments of an eruption kernel. `rates`: a row per vent, a column per time slot.
template <class R>
struct EruptionViews {
    Grid<R> emission;
    Grid<const double> rates;
    magflow::CurveShape shape;
    Grid<const double> time;
    Grid<Word<R>> dt;
    R longest_step;

    // By one thread.
    CAMBER_DEVICE void begin_minimum() const { dt(0, 0) = magflow::bits_of(longest_step); }
    // `vent`: the number of the one in the cell, from 1.
    CAMBER_DEVICE void erupt(int row, int column, int vent) const {
        const double now = time(0, 0);
        emission(row, column) = emission_at<R>(vent, now, rates, shape);
    }
};

template <class R>
__global__ void erupt_kernel(const Grid<const std::uint8_t> vents, const EruptionViews<R> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    if (row == 0 && column == 0) views.begin_minimum();
    const int vent = vents(row, column);
    if (vent != 0) views.erupt(row, column, vent);
}

// The rates of a problem on the device.
template <class R>
class Eruption {
  public:
    explicit Eruption(const StageContext& context)
        : store_(context.store),
          clock_(context.store),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))),
          rates_(context.queue, context.problem.parameters) {}

    EruptionViews<R> views() const {
        return {current<R>(store_, "emission"),       rates_.table(), rates_.effusion().shape,
                clock_.template time<const double>(), clock_.dt(),    longest_step_};
    }

  private:
    FieldStore& store_;
    Clock<R> clock_;
    R longest_step_;
    MagflowRates rates_;
};

template <class R>
class EruptStage final : public Stage {
  public:
    EruptStage(const StageContext& context, Region block)
        : context_(context), eruption_(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int) override {
        launch(context_.queue, "erupt", shape_, erupt_kernel<R>,
               current<const std::uint8_t>(context_.store, "vents"), eruption_.views());
    }

  private:
    StageContext context_;
    Eruption<R> eruption_;
    LaunchShape shape_;
};

// The emission counts as neither read nor written: only cells with a vent have one.
template <class R>
StepPlan erupt_plan(const StepPlan& like) {
    StepPlan plan = own_cell_plan(
        like, "erupt",
        {reads("vents", ElementType::uint8), {.name = "emission", .element = element_of<R>()}});
    plan.make = StageMaker(makes<EruptStage<R>>(like.shape.block), 0);
    return plan;
}

CAMBER_TARGET_END
