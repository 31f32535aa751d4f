// The first step of SCIARA-fv3: lava from the vents, in place, before anything is read beyond its
// own cell. How much depends on time and duration of the last step, which only the device knows.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "variants/sciara_fv3/uniform.hpp"
#include "variants/techniques.hpp"
#include "workloads/sciara_fv3/parameters.hpp"

CAMBER_TARGET_BEGIN

template <class R>
struct EmissionArguments {
    sciara_fv3::ClockParameters<R> clock;
    double slot_length;  // s
    R side;              // m
    R temperature;       // K
};

// A thread per cell, of which only those with a vent go on. `rates`: a row per vent, a column per
// time slot, m^3/s.
template <class R>
__global__ void emission_fv3_kernel(const Grid<const std::uint8_t> vents, const Grid<R> thickness,
                                    const Grid<R> temperature, const Grid<const double> clock,
                                    const Grid<const double> rates,
                                    const EmissionArguments<R> arguments) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    const int vent = vents(row, column);
    if (vent == 0) return;
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

template <class R>
class EmissionFv3Stage final : public Stage {
  public:
    // Adds the clock to the fields: as a field of two cells it is in no plan.
    EmissionFv3Stage(const StageContext& context, Region block)
        : context_(context),
          shape_(covering(context.problem.size, block, block)),
          emission_(sciara_fv3::emission_parameters(context.problem.parameters)),
          rates_layout_(Layout::make(std::max(1, emission_.slots), std::max(1, emission_.vents), 0,
                                     unaligned, sizeof(double))),
          rates_(context.queue, rates_layout_.elements() * sizeof(double)),
          arguments_{sciara_fv3::clock_parameters<R>(context.problem.parameters),
                     emission_.slot_length, static_cast<R>(emission_.side),
                     static_cast<R>(emission_.temperature)} {
        constexpr std::byte zero[sizeof(double)] = {};
        constexpr Size size = sciara_fv3::clock_size;
        context_.store.add(sciara_fv3::clock_field, ElementType::float64,
                           Layout::make(size.columns, size.rows, 0, unaligned, sizeof(double)),
                           zero, Buffers::one);
        emission_.rates.resize(rates_layout_.elements());
        const std::size_t bytes = emission_.rates.size() * sizeof(double);
        context_.queue.upload(rates_.get(), bytes, emission_.rates.data(), bytes, {bytes, 1});
    }

    void enqueue(int) override {
        const FieldStore& store = context_.store;
        const auto grid = [&]<class T>(T, const char* field) {
            return Grid<T>(static_cast<T*>(store.current(field)), store.layout(field), field);
        };
        launch(
            context_.queue, "emission", shape_, emission_fv3_kernel<R>,
            Grid<const std::uint8_t>(
                static_cast<const std::uint8_t*>(store.current(sciara_fv3::vents_field)),
                store.layout(sciara_fv3::vents_field), sciara_fv3::vents_field),
            grid(R{}, sciara_fv3::thickness_field), grid(R{}, sciara_fv3::temperature_field),
            Grid<const double>(static_cast<const double*>(store.current(sciara_fv3::clock_field)),
                               store.layout(sciara_fv3::clock_field), sciara_fv3::clock_field),
            Grid<const double>(static_cast<const double*>(rates_.get()), rates_layout_,
                               "emission_rates"),
            arguments_);
    }

  private:
    StageContext context_;
    LaunchShape shape_;
    sciara_fv3::Emission emission_;
    Layout rates_layout_;
    Memory rates_;
    EmissionArguments<R> arguments_;
};

// A plan of a stage that works cell by cell where the other steps have the plan `like`.
inline StepPlan own_cell_plan(const StepPlan& like, const char* step,
                              std::vector<FieldUse> fields) {
    StepPlan plan = like;
    plan.step = step;
    plan.region = plan.block;
    plan.shared_bytes = 0;
    plan.fields = std::move(fields);
    return plan;
}

// What the emission writes counts as read only, because it changes the values that are current.
template <class R>
StepPlan emission_fv3_plan(const StepPlan& like) {
    StepPlan plan =
        own_cell_plan(like, "emission",
                      {{sciara_fv3::vents_field, ElementType::uint8, {}, true, false},
                       {sciara_fv3::thickness_field, element_of<R>(), {}, true, false},
                       {sciara_fv3::temperature_field, element_of<R>(), {}, true, false}});
    plan.make = [block = like.block](const StageContext& context) {
        return std::make_unique<EmissionFv3Stage<R>>(context, block);
    };
    return plan;
}

CAMBER_TARGET_END
