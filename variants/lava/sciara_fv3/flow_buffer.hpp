// cell_major, substate_major, warp_tiled: flows between cells pass through one buffer of 16 numbers
// per cell, eight thicknesses and eight speeds, instead of 16 fields. Each cell writes its own,
// then gathers its neighbors': the private contributions of the thesis on SCIARA-fv3, which leaves
// the layout open.
#pragma once

#include <memory>
#include <vector>

#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

inline constexpr int flow_slots = 2 * sciara_fv3::neighbours;
inline constexpr const char* flow_buffer_field = "flows";

// Layouts: the buffer's shape for a board, and the index of a cell's slot in it, for a board of
// `rows` rows.

// All slots of a cell side by side.
struct CellMajor {
    static constexpr TechniqueInfo info{
        "cell_major", "a cell's outflows side by side in one buffer",
        "thesis on SCIARA-fv3, private buffers of contributions", Family::global_memory};
    static Size shape(Size board) { return {board.columns * flow_slots, board.rows}; }
    CAMBER_HD static int row(int row, int, int, int) { return row; }
    CAMBER_HD static int column(int, int column, int slot) { return column * flow_slots + slot; }
};
// Thicknesses of a cell side by side, and speeds, in a half of their own.
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
// 32 cells' slots side by side, slot by slot: a warp in line writes whole lines of memory, and all
// its slots are close.
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

// A buffer with the call syntax of a field.
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

// Adds the buffer to the fields, as it has another shape than the board.
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

// The choices of the steps outflow and exchange where the others have the plans `like`.
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
            // The buffer is none of them.
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
