// kahan_update: Update with sums that are compensated over the steps. A field for each of
// thickness, solid lava and heat stores the rounding error for the next step; temperatures are no
// sums. Bilotta et al. 2011 rejected it: 25 to 30 % of the time of all kernels.
#pragma once

#include <memory>

#include "variants/lava/magflow/update.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Rounding errors that the sums of previous steps lost.
template <class R>
struct LostViews {
    Grid<R> thickness, solidified, heat;
};

template <class R>
__global__ void kahan_update_kernel(const UpdateViews<R> views, const LostViews<R> lost) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.thickness.rows() || column >= views.thickness.columns()) return;
    const R dt = step_length<R>(views.dt);
    if (row == 0 && column == 0) advance_time(views.time, dt);
    const auto sum = [&](const Grid<R>& value, const Grid<R>& rest,
                         Site site = Site::current()) -> magflow::Sum<R, true> {
        const CallPath path(site);
        const R v = value(row, column);
        const R l = rest(row, column);
        return {v, l};
    };
    const auto put = [&](const Grid<R>& value, const Grid<R>& rest,
                         const magflow::Sum<R, true>& result, Site site = Site::current()) {
        const CallPath path(site);
        value(row, column) = result.value;
        rest(row, column) = result.lost;
    };
    magflow::CellSums<R, true> cell;
    cell.thickness = sum(views.thickness, lost.thickness);
    cell.solidified = sum(views.solidified, lost.solidified);
    cell.heat = sum(views.heat, lost.heat);
    cell.temperature = views.temperature(row, column);
    const R volume_flux = views.volume_flux(row, column);
    const R heat_flux = views.heat_flux(row, column);
    cell = magflow::updated(cell, volume_flux, heat_flux, dt, views.parameters);
    put(views.thickness, lost.thickness, cell.thickness);
    put(views.solidified, lost.solidified, cell.solidified);
    put(views.heat, lost.heat, cell.heat);
    views.temperature(row, column) = cell.temperature;
}

// Adds the fields of what was lost, which are no part of the state.
template <class R>
class KahanUpdateStage final : public Stage {
  public:
    KahanUpdateStage(const StageContext& context, Region block)
        : context_(context),
          clock_(context.store),
          shape_(covering(context.problem.size, block)),
          parameters_(magflow::update_parameters<R>(context.problem.parameters)) {
        constexpr std::byte zero[sizeof(R)] = {};
        for (const char* field : fields)
            context.store.add(field, element_of<R>(), context.store.layout("thickness"), zero,
                              Buffers::one);
    }

    void enqueue(int) override {
        FieldStore& store = context_.store;
        const LostViews<R> lost{current<R>(store, fields[0]), current<R>(store, fields[1]),
                                current<R>(store, fields[2])};
        launch(context_.queue, "update", shape_, kahan_update_kernel<R>,
               update_views<R>(store, clock_, parameters_), lost);
    }

  private:
    static constexpr const char* fields[3] = {"lost_thickness", "lost_solidified", "lost_heat"};

    StageContext context_;
    Clock<R> clock_;
    LaunchShape shape_;
    magflow::UpdateParameters<R> parameters_;
};

template <class R>
StepPlan kahan_update_plan(const StepPlan& like) {
    StepPlan plan = update_plan<R>(like);
    plan.technique = {"kahan_update", "as halo, Update's sums over the steps compensated",
                      "Bilotta et al. 2011, rejected there", Family::global_memory};
    plan.arithmetic = Arithmetic::reordered;
    plan.make = makes<KahanUpdateStage<R>>(like.shape.block);
    return plan;
}

CAMBER_TARGET_END
