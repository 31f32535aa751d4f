// The last kernel of MAGFLOW, Update: thickness, heat and solidification by the step that the
// minimum allows, in place, since a cell reads nothing but itself; and the time goes on.
#pragma once

#include <memory>

#include "variants/magflow/clock.hpp"
#include "variants/stencil_stage.hpp"
#include "workloads/magflow/parameters.hpp"

CAMBER_TARGET_BEGIN

template <class R>
struct UpdateViews {
    Grid<R> thickness, solidified, heat, temperature;
    Grid<const R> volume_flux, heat_flux;
    Grid<const Word<R>> dt;
    Grid<double> time;
    magflow::UpdateParameters<R> parameters;
};

template <class R>
__global__ void update_kernel(const UpdateViews<R> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.thickness.rows() || column >= views.thickness.columns()) return;
    const Word<R> word = views.dt(0, 0);
    const R dt = magflow::value_of<R>(word);
    if (row == 0 && column == 0) {
        const double before = views.time(0, 0);
        views.time(0, 0) = before + static_cast<double>(dt);
    }
    const R thickness = views.thickness(row, column);
    const R solidified = views.solidified(row, column);
    const R heat = views.heat(row, column);
    const R temperature = views.temperature(row, column);
    const R volume_flux = views.volume_flux(row, column);
    const R heat_flux = views.heat_flux(row, column);
    const magflow::Cell<R> cell =
        magflow::updated(magflow::Cell<R>{thickness, solidified, heat, temperature}, volume_flux,
                         heat_flux, dt, views.parameters);
    views.thickness(row, column) = cell.thickness;
    views.solidified(row, column) = cell.solidified;
    views.heat(row, column) = cell.heat;
    views.temperature(row, column) = cell.temperature;
}

template <class R>
class UpdateStage final : public Stage {
  public:
    UpdateStage(const StageContext& context, Region block)
        : context_(context),
          clock_(context.store),
          shape_(covering(context.problem.size, block, block)),
          parameters_(magflow::update_parameters<R>(context.problem.parameters)) {}

    void enqueue(int) override {
        FieldStore& store = context_.store;
        const UpdateViews<R> views{current<R>(store, "thickness"),
                                   current<R>(store, "solidified"),
                                   current<R>(store, "heat"),
                                   current<R>(store, "temperature"),
                                   current<const R>(store, "volume_flux"),
                                   current<const R>(store, "heat_flux"),
                                   clock_.template dt<const Word<R>>(),
                                   clock_.time(),
                                   parameters_};
        launch(context_.queue, "update", shape_, update_kernel<R>, views);
    }

  private:
    StageContext context_;
    Clock<R> clock_;
    LaunchShape shape_;
    magflow::UpdateParameters<R> parameters_;
};

// What it changes in place stands twice, as read, so that the bytes of reading and of writing it
// count: a field that a step says it writes would get a second buffer.
template <class R>
StepPlan update_plan(const StepPlan& like) {
    StepPlan plan = like;
    plan.step = "update";
    plan.region = plan.block;
    plan.shared_bytes = 0;
    plan.fields.clear();
    for (const char* field : {"thickness", "solidified", "heat", "temperature"})
        for (int access = 0; access < 2; ++access)
            plan.fields.push_back({field, element_of<R>(), {}, true, false});
    for (const char* field : {"volume_flux", "heat_flux"})
        plan.fields.push_back({field, element_of<R>(), {}, true, false});
    plan.make = [block = like.block](const StageContext& context) {
        return std::make_unique<UpdateStage<R>>(context, block);
    };
    return plan;
}

CAMBER_TARGET_END
