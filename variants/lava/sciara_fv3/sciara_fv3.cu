// SCIARA-fv3 in six kernels, in every technique that fits, and with flows in one buffer.
#include <memory>
#include <vector>

#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/lava/sciara_fv3/pipelines.hpp"
#include "variants/stencil/catalogue.hpp"

// cell_major, substate_major, warp_tiled: flows between cells pass through one buffer of 16 numbers
// per cell, eight thicknesses and eight speeds, instead of 16 fields. Each cell writes its own
// flows, then gathers its neighbors'. These are the private contributions of the thesis on
// SCIARA-fv3, which leaves the layout open.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

inline constexpr int flow_slots = 2 * sciara_fv3::neighbours;
inline constexpr const char* flow_buffer_field = "flows";

// Layouts: shape of the buffer for a board, and index of a cell's slot in it for a board of `rows`
// rows.

// All slots of a cell are contiguous.
struct CellMajor {
    static constexpr TechniqueInfo info{
        "cell_major", "a cell's outflows side by side in one buffer",
        "thesis on SCIARA-fv3, private buffers of contributions", Family::global_memory};
    static Size shape(Size board) { return {board.columns * flow_slots, board.rows}; }
    CAMBER_HD static int row(int row, int, int, int) { return row; }
    CAMBER_HD static int column(int, int column, int slot) { return column * flow_slots + slot; }
};
// All thicknesses of a cell are contiguous, and all speeds are, in two halves of the buffer.
struct SubstateMajor {
    static constexpr TechniqueInfo info{
        "substate_major", "a cell's outflows side by side, their speeds apart",
        "thesis on SCIARA-fv3, private buffers of contributions", Family::global_memory};
    static constexpr int per_cell = sciara_fv3::neighbours;
    static Size shape(Size board) { return {board.columns * per_cell, 2 * board.rows}; }
    CAMBER_HD static int row(int row, int, int slot, int rows) {
        return slot / per_cell * rows + row;
    }
    CAMBER_HD static int column(int, int column, int slot) {
        return column * per_cell + slot % per_cell;
    }
};
// Slots of 32 cells are contiguous, slot by slot: a warp writes whole cache lines, and all its
// slots are close together.
struct WarpTiled {
    static constexpr TechniqueInfo info{
        "warp_tiled", "outflows of 32 cells in line, slot by slot, in one buffer",
        "thesis on SCIARA-fv3, private buffers of contributions", Family::global_memory};
    static constexpr int width = 32;
    static Size shape(Size board) {
        return {(board.columns + width - 1) / width * width * flow_slots, board.rows};
    }
    CAMBER_HD static int row(int row, int, int, int) { return row; }
    CAMBER_HD static int column(int, int column, int slot) {
        return (column / width * flow_slots + slot) * width + column % width;
    }
};

template <class Rule, class Place, class R>
__global__ void outflow_buffer_kernel(const Views<Rule> views, const Grid<R> buffer) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                column + dcol, site);
    };
    const auto out = apply(views, read);
    Rule::Outputs::for_each([&]<class Tag>(Tag) {
        constexpr int slot = Rule::Outputs::template index<Tag>;
        buffer(Place::row(row, column, slot, views.rows), Place::column(row, column, slot)) =
            get<slot>(out);
    });
}

// Buffer with the call syntax of a field.
template <class Place, int slot, class R>
struct SlotView {
    const Grid<const R>& buffer;
    int rows;
    CAMBER_DEVICE R operator()(int row, int column, Site site) const {
        return buffer(Place::row(row, column, slot, rows), Place::column(row, column, slot), site);
    }
};

template <class Rule, class Place, class R>
__global__ void exchange_buffer_kernel(const Views<Rule> views, const Grid<const R> buffer) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> R {
        if constexpr (has_slot<Tag>())
            return read_beyond_edge<Boundary::dead>(
                views, tag, SlotView<Place, Tag::slot, R>{buffer, views.rows}, row + drow,
                column + dcol, site);
        else
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

// Adds the buffer to the store's fields; its shape differs from the board's.
template <class R, class Rule, class Place>
class OutflowBufferStage final : public Stage {
  public:
    OutflowBufferStage(const StageContext& context, Region block)
        : context_(context), shape_(covering(context.problem.size, block)) {
        const Size size = Place::shape(context.problem.size);
        constexpr std::byte zero[sizeof(R)] = {};
        context_.store.add(flow_buffer_field, element_of<R>(),
                           Layout::make(size.columns, size.rows, 0, unaligned, sizeof(R)), zero,
                           Buffers::one);
    }
    void enqueue(int) override {
        launch(context_.queue, Rule::step, shape_, outflow_buffer_kernel<Rule, Place, R>,
               input_views<Rule>(context_),
               Grid<R>(static_cast<R*>(context_.store.current(flow_buffer_field)),
                       context_.store.layout(flow_buffer_field), flow_buffer_field));
    }

  private:
    StageContext context_;
    LaunchShape shape_;
};

template <class R, class Rule, class Place>
class ExchangeBufferStage final : public Stage {
  public:
    ExchangeBufferStage(const StageContext& context, Region block)
        : context_(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int) override {
        Views<Rule> views = input_views<Rule>(context_);
        Rule::Outputs::for_each([&]<class Tag>(Tag) {
            get<Rule::Outputs::template index<Tag>>(views.outputs) =
                OutputGrid<Tag>(static_cast<typename Tag::Type*>(context_.store.next(Tag::field)),
                                context_.store.layout(Tag::field), Tag::field);
        });
        launch(context_.queue, Rule::step, shape_, exchange_buffer_kernel<Rule, Place, R>, views,
               Grid<const R>(static_cast<const R*>(context_.store.current(flow_buffer_field)),
                             context_.store.layout(flow_buffer_field), flow_buffer_field));
    }

  private:
    StageContext context_;
    LaunchShape shape_;
};

// Choices of the steps outflow and exchange, derived from the plans `like` of the other steps.
template <class R, class Outflow, class Exchange, class Place>
struct FlowBuffer {
    static std::vector<StepPlan> outflow(const std::vector<StepPlan>& like) {
        return plans<OutflowBufferStage<R, Outflow, Place>>(like);
    }
    static std::vector<StepPlan> exchange(const std::vector<StepPlan>& like) {
        return plans<ExchangeBufferStage<R, Exchange, Place>>(like);
    }

  private:
    template <class BufferStage>
    static std::vector<StepPlan> plans(const std::vector<StepPlan>& like) {
        std::vector<StepPlan> result;
        for (StepPlan plan : like) {
            // Removes the flow fields, which the buffer replaces.
            std::erase_if(plan.fields, [](const FieldUse& use) {
                return use.name.starts_with("flow_") || use.name.starts_with("speed_");
            });
            plan.make = makes<BufferStage>(plan.shape.block);
            result.push_back(std::move(plan));
        }
        return result;
    }
};

CAMBER_TARGET_END

// Pipelines of SCIARA-fv3 in six steps, emission, candidates for the clock, the clock, outflow,
// exchange and cooling; in five, with candidates and clock in one; and with flow buffers in several
// layouts. In float and double, compiled without contraction of products and sums: variants are
// bit-equal to the reference if their math library is the same.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// The technique global in further blocks, for a sweep over shapes.
using GlobalShapes = GlobalIn<Region{8, 8}, Region{16, 8}, Region{32, 4}, Region{32, 16}>;

// shared_tile in the only block for which the tiles of all flows in double fit into 48 KiB.
struct SharedSquare {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius > 0)
            for (const int alignment : {unaligned, 128})
                catalogue.add(SharedTile::info, shared_tile_variant<Rule, 16, 16, 1>(alignment));
    }
};

// Carve-out preferences for the kernels of this file.
using SquareCarveOuts = CarveOutsIn<16, 16>;

CAMBER_TARGET_END

namespace camber::sciara_fv3 {
namespace {

constexpr const char* workload = "sciara_fv3";
constexpr const char* thesis = "thesis on SCIARA-fv3";

// Choices of a rule that reads neighbors.
template <class Rule>
std::vector<StepPlan> tau_choices() {
    return choices_of<Rule, Global, GlobalShapes, Halo, SharedSquare, ReadOnly, SquareCarveOuts>();
}

template <class R>
void add(Registry& registry) {
    constexpr Trigonometry branching = Trigonometry::branching;
    constexpr Trigonometry if_free = Trigonometry::if_free;
    constexpr ElementType cell = element_of<R>();
    const auto pipelines = [&](const char* name, const StepChoices& steps) {
        add_pipelines(registry, workload, cell, target_backend, name, steps);
    };

    const auto cooling =
        choices_of<Cooling<R>, Global, GlobalShapes, Halo, ReadOnly, SquareCarveOuts>();
    const auto emission = plans_like(cooling, emission_fv3_plan<R>);
    const auto clock = plans_like(cooling, clock_plan<R>);
    const StepChoices steps{emission,
                            tau_choices<Candidates<R, branching>>(),
                            clock,
                            tau_choices<Outflow<R, branching>>(),
                            tau_choices<Exchange<R>>(),
                            cooling};
    pipelines("six_kernels", steps);
    add_composer(registry, workload, cell, target_backend, steps);

    const auto plain_cooling = choices_of<Cooling<R>, Global>();
    const auto plain_emission = plans_like(plain_cooling, emission_fv3_plan<R>);
    const auto plain_clock = plans_like(plain_cooling, clock_plan<R>);
    const auto candidates = choices_of<Candidates<R, branching>, Global>();
    const auto outflow = choices_of<Outflow<R, branching>, Global>();
    const auto exchange = choices_of<Exchange<R>, Global>();
    pipelines(
        "",
        renamed({plain_emission, choices_of<Candidates<R, if_free>, Global>(), plain_clock,
                 choices_of<Outflow<R, if_free>, Global>(), exchange, plain_cooling},
                {"if_free", "as global, angles without branches", thesis, Family::global_memory}));
    pipelines("", renamed({plain_emission, plans_like(candidates, fused_clock_plan<R, branching>),
                           outflow, exchange, plain_cooling},
                          {"fused_minimum", "as global, the clock's candidates never stored",
                           thesis, Family::global_memory}));
    const auto with_buffer = [&]<class Place>(Place) {
        using Buffer = FlowBuffer<R, Outflow<R, branching>, Exchange<R>, Place>;
        pipelines("", renamed({plain_emission, candidates, plain_clock, Buffer::outflow(outflow),
                               Buffer::exchange(exchange), plain_cooling},
                              Place::info));
    };
    with_buffer(CellMajor{});
    with_buffer(SubstateMajor{});
    with_buffer(WarpTiled{});
}

const Registration sciara_fv3_variants([](Registry& registry) {
    add<double>(registry);
    add<float>(registry);
    add_sciara_fv3_hand_overs<double>(registry);
    add_sciara_fv3_hand_overs<float>(registry);
    leave_out_whole_generations(registry, workload);
    leave_out_records_and_textures(registry, workload);
    for (const TechniqueInfo& technique :
         {TwoElement::info, Packed::info, Packed::two_info, RowStream::info, ColumnStream::info})
        registry.leave_out(workload, technique.name, too_heavy);
    registry.leave_out(workload, FirstRows::info.name,
                       "stages seventeen fields of eight bytes: its wider blocks of them are more "
                       "than shared memory holds");
    registry.leave_out(workload, Constant::info.name, "reads no field that stays as it is");
});

}  // namespace
}  // namespace camber::sciara_fv3
