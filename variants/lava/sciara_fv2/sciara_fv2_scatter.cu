// SCIARA-fv2 with outflows that cells distribute to their neighbors: by atomic additions, or
// without conflicts in shared memory.
#include <memory>

#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/lava/sciara_fv2/lava_cell.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/global.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

// cfamo, conflict-free, optimized for memory: like cfame, but a thread keeps its cell's outflows in
// registers, and shared memory contains two sums per cell, for incoming thickness and heat. All
// threads add to the neighbors in one direction, then to those in the next, separated by barriers.
// Each sum thus has one writer at a time: no atomics, and the same order in every run, although not
// the model's. In the originators' version, threads without lava exit
// before the barriers; here all stay. D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino,
// Sabatino, "Efficient Execution of Flow-Based Low-Order Stencil Algorithms on GPUs" (SSRN
// 5056757).
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Kernel with BX x BY threads, of which those at the rim compute outflows only.
template <int BX, int BY, Surroundings around>
__global__ void cfamo_kernel(const Views<sciara_fv2::Transport> views) {
    __shared__ Tile<double, BY, BX> thickness;
    __shared__ Tile<double, BY, BX> heat;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = static_cast<int>(blockIdx.y) * (BY - 2) + y - 1;
    const int column = static_cast<int>(blockIdx.x) * (BX - 2) + x - 1;
    const LavaCell cell(views, row, column, around);
    thickness(y, x) = 0;
    heat(y, x) = 0;
    __syncthreads();

    each_neighbour([&]<int k>(Neighbour<k>) {
        const int to_y = y + row_offset(k);
        const int to_x = x + column_offset(k);
        const double out = cell.out[k - 1];
        const Site thickness_site = Site::current();
        const Site heat_site = Site::current();
        // A neighbor outside belongs to another block, which computes this cell's outflows too.
        if (out > 0 && to_x >= 0 && to_x < BX && to_y >= 0 && to_y < BY) {
            thickness(to_y, to_x, thickness_site) += out;
            heat(to_y, to_x, heat_site) += out * cell.t;
        } else {
            skip(thickness_site);
            skip(heat_site);
        }
        __syncthreads();
    });

    if (!views.inside(row, column) || x == 0 || x == BX - 1 || y == 0 || y == BY - 1) return;
    Values<double, double> result{cell.h, {cell.t, {}}};
    if (cell.takes_part) {
        Mixture mixture(cell.h - cell.outflow(), cell.t);
        mixture.thickness += thickness(y, x);
        mixture.heat += heat(y, x);
        result = after_exchange(mixture, cell.h, cell.t);
    }
    store(views, row, column, result);
}

struct Cfamo {
    static constexpr TechniqueInfo info{
        "cfamo", "as cfame, with two sums per cell in shared memory, added to side by side",
        "D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN 5056757",
        Family::shared_memory};

    static constexpr int sums = 2;  // of mass and of heat

    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        add<8, 8>(catalogue);
        add<16, 16>(catalogue);
        add<32, 8>(catalogue);
        add<32, 16>(catalogue);
    }

  private:
    template <int BX, int BY>
    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        add_transport(
            catalogue, info, {BX, BY}, sums,
            {cfamo_kernel<BX, BY, Surroundings::edge>, cfamo_kernel<BX, BY, Surroundings::halo>});
    }
};

CAMBER_TARGET_END

// atomics: no tiles and no flow fields. Every cell adds its outflows to its neighbors' accumulators
// of thickness and heat, which start from the current values, and subtracts their sums from its
// own, all by atomic additions; a separate kernel then converts heat to temperature. The order of
// additions varies, so the last digits differ from run to run. Users of SCIARA-fv2 have it under
// several names. atomics_flow_buffer: the same with outflows in fields, computed by a separate
// kernel.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Adds the outflow `out` of temperature `t` to neighbor k of the cell.
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

// `views` contains the state before the exchange; `thickness` and `heat` are the accumulators.
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

// Same for outflows in fields.
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

// Field that atomic additions change.
inline Grid<double> sum_in(const FieldStore& store, const char* field) {
    return {static_cast<double*>(store.current(field)), store.layout(field), field};
}

// Runs after the heat switch: the accumulated thickness is current, and the previous thickness is
// in the buffer for the next one.
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

// Accumulated fields are listed as two more inputs, so that the bytes of reading and writing them
// are counted: a field that a step declares as written would be swapped afterwards.
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

namespace camber::sciara_fv2 {

namespace {

const Registration sciara_fv2_scatter_variants([](Registry& registry) {
    using Blocks = TechniqueList<PlainBlocks>;
    const auto pipelines = [&](const char* name, const StepChoices& steps) {
        add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, name, steps);
    };
    const auto cooling = step_choices<Cooling, Blocks>();
    const auto emission = emission_choices(cooling);
    auto cfamo = step_choices<Transport, TechniqueList<Cfamo>>();
    for (StepPlan& plan : cfamo) plan.arithmetic = Arithmetic::reordered;
    pipelines("three_kernels", {emission, cfamo, cooling});
    pipelines("five_kernels",
              renamed({emission, step_choices<HeatSwitch, Blocks>(),
                       plans_like(cooling, scatter_fv2_plan), step_choices<HeatDivision, Blocks>(),
                       cooling},
                      {"atomics", "outflows handed on by atomic additions, heat divided at the end",
                       "public GPU versions of SCIARA-fv2; atomic scatter without flow buffer",
                       Family::global_memory}));
    pipelines(
        "six_kernels",
        renamed({emission, step_choices<Outflows, Blocks>(), step_choices<HeatSwitch, Blocks>(),
                 plans_like(cooling, scatter_flows_plan), step_choices<HeatDivision, Blocks>(),
                 cooling},
                {"atomics_flow_buffer", "as atomics, with the outflows in fields of their own",
                 "public GPU versions of SCIARA-fv2; atomic scatter with flow buffer",
                 Family::global_memory}));
});

}  // namespace
}  // namespace camber::sciara_fv2
