// The first step of SCIARA-fv3: lava from the vents, in place, before any cell reads a neighbor.
// The amount depends on time and duration of the last step, which only the device has.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "variants/lava/sciara_fv3/uniform.hpp"
#include "variants/stencil/plans.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R>
struct EmissionArguments {
    sciara_fv3::ClockParameters<R> clock;
    double slot_length;  // s
    R side;              // m
    R temperature;       // K
};

// Arguments of an emission. `rates`: a row per vent, a column per time slot, m^3/s.
template <class R>
struct EmissionFv3Views {
    Grid<R> thickness, temperature;
    Grid<const double> clock, rates;
    EmissionArguments<R> arguments;

    // `vent`: the number of the one in the cell, from 1.
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

// The rates of a problem on the device.
template <class R>
class EmissionFv3 {
  public:
    // Adds the clock to the fields: as a field of two cells it is in no plan.
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
    // The emission by the current values.
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
