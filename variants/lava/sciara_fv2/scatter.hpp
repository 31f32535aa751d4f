// atomics: no tiles and no fields of flows. Every cell adds its outflows to its neighbors'
// thickness and heat to come, which begin as what is there, and takes their sums from its own once,
// all by atomic additions; a kernel of its own then makes temperature of heat. In which order
// threads add is left to chance: runs differ in the last digits. Users of SCIARA-fv2 have it under
// several names. atomics_flow_buffer: the same with the outflows in fields, by a kernel of their
// own.
#pragma once

#include <memory>

#include "variants/lava/sciara_fv2/lava_cell.hpp"
#include "variants/stencil/plans.hpp"
#include "workloads/lava/sciara_fv2/scatter_rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Adds to neighbor k of the cell what comes from it: `out`, of temperature `t`.
template <int k>
CAMBER_DEVICE void hand_on(const Grid<double>& thickness, const Grid<double>& heat, int row,
                           int column, double out, double t) {
    const int r = row + row_offset(k);
    const int c = column + column_offset(k);
    const Site thickness_site = Site::current();
    const Site heat_site = Site::current();
    if (out > 0) {
        atomicAdd(&thickness(r, c, thickness_site), out);
        atomicAdd(&heat(r, c, heat_site), out * t);
    } else {
        skip(thickness_site);
        skip(heat_site);
    }
}

// `views`: the state before the exchange; `thickness` and `heat`: the one to come.
template <class Rule>
__global__ void scatter_fv2_kernel(const Views<Rule> views, const Grid<double> thickness,
                                   const Grid<double> heat) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const LavaCell cell(views, row, column);
    const double outflow = cell.outflow();
    if (!(outflow > 0)) return;
    each_neighbour([&]<int k>(Neighbour<k>) {
        hand_on<k>(thickness, heat, row, column, cell.out[k - 1], cell.t);
    });
    atomicAdd(&thickness(row, column), -outflow);
    atomicAdd(&heat(row, column), -(outflow * cell.t));
}

// The same of outflows that are in fields.
template <class Rule>
__global__ void scatter_flows_kernel(const Views<Rule> views, const Grid<double> thickness,
                                     const Grid<double> heat) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const double t = views.input(Temperature<1>{})(row, column);
    double outflow = 0;
    each_neighbour([&]<int k>(Neighbour<k>) {
        const double out = views.input(Flow<k>{})(row, column);
        outflow += out;
        hand_on<k>(thickness, heat, row, column, out, t);
    });
    if (!(outflow > 0)) return;
    atomicAdd(&thickness(row, column), -outflow);
    atomicAdd(&heat(row, column), -(outflow * t));
}

// A field that atomic additions change.
inline Grid<double> sum_in(const FieldStore& store, const char* field) {
    return {static_cast<double*>(store.current(field)), store.layout(field), field};
}

// Runs after the heat switch: its thickness is current, and the previous thickness is in the buffer
// for the next one.
class ScatterFv2Stage final : public RuleStage<sciara_fv2::Transport> {
  public:
    ScatterFv2Stage(const StageContext& context, Region block)
        : RuleStage(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int number) override {
        Views<Transport> views = this->views(number);
        get<Transport::Inputs::index<Thickness<2>>>(views.inputs) =
            Grid<const double>(static_cast<const double*>(store().next(NewThickness::field)),
                               store().layout(NewThickness::field), NewThickness::field);
        launch(queue(), "scatter", shape_, scatter_fv2_kernel<Transport>, views,
               sum_in(store(), NewThickness::field), sum_in(store(), heat_field));
    }

  private:
    LaunchShape shape_;
};

class ScatterFlowsStage final : public RuleStage<sciara_fv2::Exchange> {
  public:
    ScatterFlowsStage(const StageContext& context, Region block)
        : RuleStage(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int number) override {
        launch(queue(), "scatter", shape_, scatter_flows_kernel<Exchange>, views(number),
               sum_in(store(), NewThickness::field), sum_in(store(), heat_field));
    }

  private:
    LaunchShape shape_;
};

// Accumulated fields appear as two more inputs, to count the bytes of reading and writing them: a
// field that a step declares as written would be swapped afterwards.
inline StepPlan adding_plan(StepPlan plan) {
    plan.step = "scatter";
    plan.arithmetic = Arithmetic::unordered;
    for (FieldUse& use : plan.fields) use.written = false;
    for (const char* field : {NewThickness::field, NewThickness::field, heat_field, heat_field})
        plan.fields.push_back(reads(field, ElementType::float64));
    return plan;
}

inline StepPlan scatter_fv2_plan(const StepPlan& like) {
    StepPlan plan = like;
    plan.fields = fields_of<Transport>();
    plan.make = makes<ScatterFv2Stage>(like.shape.block);
    return adding_plan(plan);
}

inline StepPlan scatter_flows_plan(const StepPlan& like) {
    StepPlan plan = like;
    plan.fields = fields_of<Exchange>();
    std::erase_if(plan.fields, [](const FieldUse& use) {
        return use.name == Frame<0>::field || use.name == NewThickness::field;
    });
    plan.make = makes<ScatterFlowsStage>(like.shape.block);
    return adding_plan(plan);
}

CAMBER_TARGET_END
