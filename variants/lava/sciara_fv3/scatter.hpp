// atomics, atomics_centre, atomics_cas: no flow fields. Every cell adds its outflows to its
// neighbors as soon as they are computed, by atomic additions to accumulators that start from the
// current lava. Up to nine threads add to a word in varying order, so the last digits differ from
// run to run. After the scatter of the thesis on SCIARA-fv3, which counts six additions per
// outflow; two more are needed here for the momentum of the lava that stays.
#pragma once

#include <memory>

#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/lava/sciara_fv3/pipelines.hpp"
#include "variants/stencil/catalogue.hpp"
#include "workloads/lava/sciara_fv3/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// Accumulators of the next state. Word is R, or an integer of the same size if additions are
// compare-and-swap loops.
template <class Word>
struct StateToCome {
    Grid<Word> thickness, heat, momentum_x, momentum_y;
};

template <class R>
CAMBER_DEVICE void add_atomically(const Grid<R>& to, int row, int column, R value, R /*likely*/,
                                  Site site) {
    atomicAdd(&to(row, column, site), value);
}
// Compare-and-swap loop that starts from the `likely` value of the word, its initial value. A
// preceding load would not be better, because the word may change before the swap, and a plain load
// would race with other threads' atomics.
CAMBER_DEVICE void add_atomically(const Grid<unsigned long long>& to, int row, int column,
                                  double value, double likely, Site site) {
    auto expected = with_same_bits<unsigned long long>(likely);
    for (;;) {
        const auto sum =
            with_same_bits<unsigned long long>(with_same_bits<double>(expected) + value);
        const unsigned long long found = atomicCAS(&to(row, column, site), expected, sum);
        if (found == expected) return;
        expected = found;
    }
}

template <class R, class Word>
CAMBER_DEVICE void add_if(bool condition, const Grid<Word>& to, int row, int column, R value,
                          R likely, Site site = Site::current()) {
    if (condition)
        add_atomically(to, row, column, value, likely, site);
    else
        skip(site);
}

// Updates of a cell by its own outflows: one addition per outflow, or one for their sum.
enum class CentreSums { in_memory, in_registers };

// Rule whose outflows are scattered: tau_1 in flow mode.
template <class R>
using ScatteredRule = sciara_fv3::Outflow<R, sciara_fv3::Trigonometry::branching>;

// Scatters the outflows of a cell. `views` contains the state before the exchange; read(tag, dcol,
// drow, site) returns a neighbor's value; reached(row, column) is called for each cell without lava
// that receives some.
template <CentreSums centre, class R, class Word, class Read, class Reached>
CAMBER_DEVICE void hand_on(const Views<ScatteredRule<R>>& views, const StateToCome<Word>& to,
                           int row, int column, const Read& read, const Reached& reached) {
    const Neighbourhood<ScatteredRule<R>, Read> at(read);
    const R h = at(Thickness<R, 1>{}, 0, 0);
    if (!(h > 0)) return;
    const Surroundings<R> cell = surroundings<R>(at, h);
    const R clock = static_cast<R>(at(Clock{}, 0, 0));
    Outflows<R> out;
    outflows(descent<Trigonometry::branching>(cell, views.parameters), clock, views.parameters,
             out);

    R outflow = 0;
    for (int k = 1; k <= neighbours; ++k) outflow += out.thickness[k - 1];
    const R t = cell.temperature;
    const Mixture<R> before =
        Staying<R>{h, t, cell.momentum_x, cell.momentum_y, outflow}.mixture(views.parameters.loss);
    Mixture<R> given;
    each_neighbour([&]<int k>(Neighbour<k>) {
        const int r = row + row_offset(k);
        const int c = column + column_offset(k);
        const R flow = out.thickness[k - 1];
        const bool flows = flow > 0;
        Mixture<R> taken;
        taken.take(k, flow, out.speed[k - 1], t);
        if constexpr (centre == CentreSums::in_memory) {
            add_if(flows, to.thickness, row, column, -flow, h);
            add_if(flows, to.heat, row, column, -(flow * t), before.heat);
        } else {
            given.give(flow, t);
        }
        const R h_k = cell.thickness[k];
        R heat_k = 0;
        if constexpr (!std::is_same_v<Word, R>)
            heat_k = h_k * load_if(flows, views.input(Temperature<R, 0>{}), r, c, R(0));
        add_if(flows, to.thickness, r, c, taken.thickness, h_k);
        add_if(flows, to.heat, r, c, taken.heat, heat_k);
        add_if(flows, to.momentum_x, r, c, taken.momentum_x, R(0));
        add_if(flows, to.momentum_y, r, c, taken.momentum_y, R(0));
        if (flows && !(h_k > 0)) reached(r, c);
    });
    if constexpr (centre == CentreSums::in_registers) {
        add_if(outflow > 0, to.thickness, row, column, given.thickness, h);
        add_if(outflow > 0, to.heat, row, column, given.heat, before.heat);
    }
    add_if(before.momentum_x != 0, to.momentum_x, row, column, before.momentum_x, R(0));
    add_if(before.momentum_y != 0, to.momentum_y, row, column, before.momentum_y, R(0));
}

// Same with reads from global memory.
template <CentreSums centre, class R, class Word, class Reached>
CAMBER_DEVICE void hand_on(const Views<ScatteredRule<R>>& views, const StateToCome<Word>& to,
                           int row, int column, const Reached& reached) {
    hand_on<centre, R>(
        views, to, row, column,
        [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        },
        reached);
}

template <class R, class Word, CentreSums centre>
__global__ void scatter_fv3_kernel(const Views<ScatteredRule<R>> views,
                                   const StateToCome<Word> to) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    hand_on<centre, R>(views, to, row, column, [](int, int) {});
}

// Runs after the heat switch: its output is current, and the previous state is in the buffers for
// the next values.
template <class R>
Views<ScatteredRule<R>> before_exchange(const StageContext& context) {
    Views<ScatteredRule<R>> views = input_views<ScatteredRule<R>>(context);
    const auto take = [&]<class Tag>(Tag) {
        get<ScatteredRule<R>::Inputs::template index<Tag>>(views.inputs) =
            InputGrid<Tag>(static_cast<const R*>(context.store.next(Tag::field)),
                           context.store.layout(Tag::field), Tag::field);
    };
    take(Thickness<R, 1>{});
    take(MomentumX<R>{});
    take(MomentumY<R>{});
    return views;
}
template <class Word>
StateToCome<Word> state_to_come(const FieldStore& store) {
    const auto words = [&](const char* field) {
        return Grid<Word>(static_cast<Word*>(store.current(field)), store.layout(field), field);
    };
    return {words(thickness_field), words(heat_field), words(momentum_x_field),
            words(momentum_y_field)};
}

template <class R, class Word, CentreSums centre>
class ScatterFv3Stage final : public Stage {
  public:
    ScatterFv3Stage(const StageContext& context, Region block)
        : context_(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int) override {
        static_assert(sizeof(Word) == sizeof(R));
        launch(context_.queue, "scatter", shape_, scatter_fv3_kernel<R, Word, centre>,
               before_exchange<R>(context_), state_to_come<Word>(context_.store));
    }

  private:
    StageContext context_;
    LaunchShape shape_;
};

// Plan without a stage factory. Accumulated fields are listed three times, as inputs, so that the
// old values and the bytes of reading and writing the new ones are counted: a field that a step
// declares as written would be swapped afterwards.
template <class R>
StepPlan scatter_plan_like(const StepPlan& like) {
    std::vector<FieldUse> fields;
    const auto use = [&](const char* field, int times) {
        for (int access = 0; access < times; ++access)
            fields.push_back(reads(field, element_of<R>()));
    };
    for (const char* field : {altitude_field, temperature_field}) use(field, 1);
    for (const char* field : {thickness_field, momentum_x_field, momentum_y_field}) use(field, 3);
    use(heat_field, 2);
    StepPlan plan = own_cell_plan(like, "scatter", std::move(fields));
    plan.arithmetic = Arithmetic::unordered;
    return plan;
}
template <class R, class Word, CentreSums centre>
StepPlan scatter_fv3_plan(const StepPlan& like) {
    StepPlan plan = scatter_plan_like<R>(like);
    plan.make = makes<ScatterFv3Stage<R, Word, centre>>(like.shape.block);
    return plan;
}

CAMBER_TARGET_END
