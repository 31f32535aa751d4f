// First step of SCIARA-fv2: emission from the vents, in place, before any neighbor is read.
#pragma once

#include <cstring>
#include <memory>

#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Emission of every vent in one step, as a kernel argument.
struct EmissionTable {
    static constexpr int capacity = 255;  // a vent number is one byte
    double thickness[capacity];           // m; vent 1 first
    double temperature;                   // K
};

// Fields that an emission changes, and the amounts.
struct EmissionViews {
    Grid<double> thickness, temperature;
    EmissionTable table;

    // `vent` is the number of the vent in the cell, from 1.
    CAMBER_DEVICE void emit(int row, int column, int vent) const {
        const double before = thickness(row, column);
        thickness(row, column) = before + table.thickness[vent - 1];
        temperature(row, column) = table.temperature;
    }
};

// One thread per cell; only threads with a vent continue.
template <class = void>  // several sources include it; nvcc takes no inline kernel
__global__ void emission_kernel(const Grid<const std::uint8_t> vents, const EmissionViews views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    const int vent = vents(row, column);
    if (vent != 0) views.emit(row, column, vent);
}

// Emission of step `number`, counted from 0.
inline EmissionViews emission_views(const FieldStore& store, const sciara_fv2::Emission& emission,
                                    int number) {
    const auto grid = [&](const char* field) {
        return Grid<double>(static_cast<double*>(store.current(field)), store.layout(field), field);
    };
    EmissionViews views{grid("thickness"), grid("temperature"), {}};
    const auto vents = static_cast<int>(emission.rates.vents.size());
    for (int vent = 0; vent < vents && vent < EmissionTable::capacity; ++vent)
        views.table.thickness[vent] = emission.thickness(vent, std::int64_t{number} + 1);
    views.table.temperature = emission.vent_temperature;
    return views;
}

class EmissionStage final : public Stage {
  public:
    EmissionStage(const StageContext& context, Region block)
        : context_(context),
          shape_(covering(context.problem.size, block)),
          emission_(sciara_fv2::emission_parameters(context.problem.parameters)) {}

    void enqueue(int number) override {
        launch(context_.queue, "emission", shape_, emission_kernel<>,
               Grid<const std::uint8_t>(
                   static_cast<const std::uint8_t*>(context_.store.current("vents")),
                   context_.store.layout("vents"), "vents"),
               emission_views(context_.store, emission_, number));
    }

  private:
    StageContext context_;
    LaunchShape shape_;
    sciara_fv2::Emission emission_;
};

// Plan of the emission, derived from the plan `like` of the other steps. Its outputs count as
// inputs only, because the kernel changes current values in place.
inline StepPlan emission_plan(const StepPlan& like) {
    StepPlan plan =
        own_cell_plan(like, "emission",
                      {reads("vents", ElementType::uint8), reads("thickness", ElementType::float64),
                       reads("temperature", ElementType::float64)});
    plan.make = StageMaker(makes<EmissionStage>(like.shape.block), 0);
    return plan;
}

// One choice per choice of the cooling: neither step reads neighbors.
inline std::vector<StepPlan> emission_choices(const std::vector<StepPlan>& cooling) {
    return plans_like(cooling, emission_plan);
}

CAMBER_TARGET_END
