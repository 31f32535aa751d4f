// Last kernel of MAGFLOW, Update: thickness, heat and solidification for the step length that the
// minimum allows, with plain sums or sums that are compensated over the steps.
#pragma once

#include <memory>

#include "variants/lava/magflow/clock.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/magflow/parameters.hpp"

// Update: works in place, because a cell reads only itself, and advances the time.
CAMBER_WORKLOAD_BEGIN(magflow)

template <class R>
struct UpdateViews {
    Grid<R> thickness, solidified, heat, temperature;
    Grid<const R> volume_flux, heat_flux;
    Grid<const Word<R>> dt;
    Grid<double> time;
    magflow::UpdateParameters<R> parameters;
};

// Length of this step, s.
template <class R>
CAMBER_DEVICE R step_length(const Grid<const Word<R>>& dt, Site site = Site::current()) {
    const Word<R> word = dt(0, 0, site);
    return magflow::value_of<R>(word);
}

// Called by one thread.
template <class R>
CAMBER_DEVICE void advance_time(const Grid<double>& time, R dt, Site site = Site::current()) {
    const CallPath path(site);
    const double before = time(0, 0);
    time(0, 0) = before + static_cast<double>(dt);
}

// Returns true if lava has entered a cell that had none.
template <class R>
CAMBER_DEVICE bool update_cell(const UpdateViews<R>& views, R dt, int row, int column) {
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
    return !(thickness > 0) && cell.thickness > 0;
}

template <class R>
__global__ void update_kernel(const UpdateViews<R> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.thickness.rows() || column >= views.thickness.columns()) return;
    const R dt = step_length<R>(views.dt);
    if (row == 0 && column == 0) advance_time(views.time, dt);
    update_cell(views, dt, row, column);
}

template <class R>
UpdateViews<R> update_views(FieldStore& store, const Clock<R>& clock,
                            const magflow::UpdateParameters<R>& parameters) {
    return {current<R>(store, "thickness"),
            current<R>(store, "solidified"),
            current<R>(store, "heat"),
            current<R>(store, "temperature"),
            current<const R>(store, "volume_flux"),
            current<const R>(store, "heat_flux"),
            clock.template dt<const Word<R>>(),
            clock.time(),
            parameters};
}

template <class R>
UpdateViews<R> update_views(const StageContext& context, const Clock<R>& clock) {
    return update_views(context.store, clock,
                        magflow::update_parameters<R>(context.problem.parameters));
}

template <class R>
class UpdateStage final : public Stage {
  public:
    UpdateStage(const StageContext& context, Region block)
        : queue_(context.queue),
          shape_(covering(context.problem.size, block)),
          views_(update_views(context, Clock<R>(context.store))) {}

    void enqueue(int) override { launch(queue_, "update", shape_, update_kernel<R>, views_); }

  private:
    Queue& queue_;
    LaunchShape shape_;
    UpdateViews<R> views_;  // of fields that are never swapped
};

// In-place fields are listed twice, as inputs, so that the bytes of both reading and writing are
// counted: a field that a step declares as written would get a second buffer.
template <class R>
StepPlan update_plan(const StepPlan& like) {
    StepPlan plan = own_cell_plan(like, "update", {});
    for (const char* field : {"thickness", "solidified", "heat", "temperature"})
        for (int access = 0; access < 2; ++access)
            plan.fields.push_back(reads(field, element_of<R>()));
    for (const char* field : {"volume_flux", "heat_flux"})
        plan.fields.push_back(reads(field, element_of<R>()));
    plan.make = StageMaker(makes<UpdateStage<R>>(like.shape.block), 0);
    // Also updates the neighbor's row that the fluxes read (Rustico 2012, section 6.2).
    plan.sharing.beyond = 1;
    return plan;
}

CAMBER_TARGET_END

// kahan_update: Update with sums that are compensated over the steps. For each of thickness, solid
// lava and heat, a field stores the rounding error for the next step; temperatures are no sums.
// Bilotta et al. 2011 rejected it: it took 25 to 30 % of the time of all kernels.
CAMBER_WORKLOAD_BEGIN(magflow)

// Rounding errors of the sums of previous steps.
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

// Adds the fields with the rounding errors, which are not part of the state.
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
