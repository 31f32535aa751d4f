// The first step of SCIARA-fv2: lava from the vents, in place, before anything is read beyond its
// own cell.
#pragma once

#include <cstring>
#include <memory>

#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Emission of every vent in one step, as a kernel argument.
struct EmissionTable {
    static constexpr int capacity = 255;  // vents are numbered in a byte
    double thickness[capacity];           // m; of vent 1 first
    double temperature;                   // K
};

// Fields that an emission changes, and the amounts.
struct EmissionViews {
    Grid<double> thickness, temperature;
    EmissionTable table;

    // `vent`: the number of the one in the cell, from 1.
    CAMBER_DEVICE void emit(int row, int column, int vent) const {
        const double before = thickness(row, column);
        thickness(row, column) = before + table.thickness[vent - 1];
        temperature(row, column) = table.temperature;
    }
};

// One thread per cell; only threads with a vent continue.
template <class = void>  // for several sources, of which nvcc takes no inline kernel
__global__ void emission_kernel(const Grid<const std::uint8_t> vents, const EmissionViews views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    const int vent = vents(row, column);
    if (vent != 0) views.emit(row, column, vent);
}

// The emission of step `number`, counted from 0.
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

// The plan of the emission where the other steps have the plan `like`. What it writes counts as
// read only, because it changes the values that are current.
inline StepPlan emission_plan(const StepPlan& like) {
    StepPlan plan =
        own_cell_plan(like, "emission",
                      {reads("vents", ElementType::uint8), reads("thickness", ElementType::float64),
                       reads("temperature", ElementType::float64)});
    plan.make = StageMaker(makes<EmissionStage>(like.shape.block), 0);
    return plan;
}

// A choice for each that the cooling has: neither reads beyond its own cell.
inline std::vector<StepPlan> emission_choices(const std::vector<StepPlan>& cooling) {
    return plans_like(cooling, emission_plan);
}

CAMBER_TARGET_END
