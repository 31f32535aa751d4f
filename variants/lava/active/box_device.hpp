// One device of a group that computes a box of cells: its rows of the box, which the host sets, and
// its steps on them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/groups/group_place.hpp"
#include "harness/registry/pipeline_fields.hpp"
#include "variants/lava/active/launch_boxes.hpp"
#include "variants/lava/active/stages.hpp"

// Box of cells that the host sets, for one device of a group: its rows of the total box.
CAMBER_TARGET_BEGIN

class GivenBox final : public ActiveCells {
  public:
    using Set = BoxSet;

    GivenBox(Queue& queue, Size size, Region block, int column_multiple)
        : ActiveCells(queue, size), block_(block) {
        set_.column_multiple = column_multiple;
        set_.is_given = true;
        set_.record = record();
        set_.areas[0] = {0, size.rows, 0, size.columns};
    }

    void give(const lava::Box& box) { set_.given = box; }
    const lava::Box& given() const { return set_.given; }
    // Number of blocks of a launch on a box.
    std::int64_t blocks(const lava::Box& box) const {
        return box.empty() ? 0 : tiles_of(box, block_, set_.column_multiple);
    }
    // Box of the cells that the device's lava can reach in the next step. Waits for enqueued work.
    lava::Box reached() const {
        const auto numbers = next_record();
        return {numbers[0], numbers[1], numbers[2], numbers[3]};
    }

    Set set() const { return set_; }
    LaunchShape shape() const {
        // At least one block, even if the box is empty, because the kernels also have tasks beside
        // the cells.
        const std::int64_t blocks = std::max<std::int64_t>(1, this->blocks(set_.given));
        return {{static_cast<unsigned>(blocks)},
                {static_cast<unsigned>(block_.columns), static_cast<unsigned>(block_.rows)}};
    }

  private:
    void start(const lava::Mask& mask) override {
        const lava::Box box = lava::box_in(mask, size(), set_.areas[0]);
        set_record({box.first_row, box.end_row, box.first_column, box.end_column});
        give(box);
    }

    Region block_;
    BoxSet set_;
};

CAMBER_TARGET_END

// Device with its rows of the box and its steps.
CAMBER_TARGET_BEGIN

// Technique and workload of a group that divides a box.
struct BoxGroupForm {
    Region block;
    int column_multiple = 1;  // of the first column of blocks
    int read_every = 1;       // number of steps between two reads of the boxes by the host
    // Plans of all steps on a box.
    std::function<std::vector<StepPlan>(GivenBox*)> plans;
    FindActive find_active;
    // One-element fields that a step passes to the next; equal on all active devices.
    std::vector<std::string> common;
};

// Part of a box within these rows.
inline lava::Box rows_of(const lava::Box& box, Rows rows) {
    return {std::max(box.first_row, rows.first), std::min(box.end_row, rows.end), box.first_column,
            box.end_column};
}

// Share of a box that one device computes.
struct BoxShare {
    Rows own;
    bool has_above = false;  // neighbors exist
    bool has_below = false;
    int beyond = 0;                 // rows of each neighbor that it also updates
    std::optional<int> edge_share;  // see Division; nullopt: edges are not computed first
};

// Cells that a device computes on one of its queues.
struct BoxPart {
    BoxPart(Queue& queue, const Problem& problem, const BoxGroupForm& form, FieldStore& store,
            const ConstantOffsets& constants)
        : box(queue, problem.size, form.block, form.column_multiple) {
        for (const StepPlan& plan : form.plans(&box))
            stages.push_back(plan.make({queue, problem, store, constants}));
    }
    // Work of a step on this part.
    GroupPart work(int step, Queue& queue) const {
        Stage& stage = *stages[static_cast<std::size_t>(step)];
        return {&queue, [&stage](int number, int) { stage.enqueue(number); }};
    }

    GivenBox box;
    std::vector<std::unique_ptr<Stage>> stages;
};

struct BoxPlace {
    static constexpr int depth = 1;  // rows of a neighbor that a device stores and reads

    BoxPlace(const Place& queues, int number, const Problem& problem, const BoxGroupForm& form,
             const std::vector<StepPlan>& plans, int sender)
        : base(queues, number),
          sending_step(sender),
          board(with_fields(base.store, plans, problem.size), {0, problem.size.rows}),
          block_rows(form.block.rows),
          reached(*base.middle, problem, form, board, constants),
          middle(*base.middle, problem, form, board, constants),
          edges{{*base.queue[0], problem, form, board, constants},
                {*base.queue[1], problem, form, board, constants}} {
        for (int step = 0; step < static_cast<int>(plans.size()); ++step)
            base.phases.push_back(
                {.middle = (step == sender ? middle : reached).work(step, *base.middle)});
    }

    template <class F>
    void for_each_part(const F& f) {
        f(reached);
        f(middle);
        for (BoxPart& edge : edges) f(edge);
    }
    void give(const lava::Box& box, const BoxShare& share) {
        const Rows own = share.own;
        reached.box.give(rows_of(box, {own.first - (share.has_above ? share.beyond : 0),
                                       own.end + (share.has_below ? share.beyond : 0)}));
        Rows rest = own;
        if (share.edge_share) {
            const int edge = edge_rows(own, *share.edge_share);
            if (share.has_above) rest.first += edge;
            if (share.has_below) rest.end -= edge;
            // If the middle were so small that edges could read through it, it would have to wait
            // for both edges; the device then computes all rows at once.
            if (rest.count() <= 2 * depth) rest = own;
        }
        middle.box.give(rows_of(box, rest));
        edges[0].box.give(rows_of(box, {own.first, rest.first}));
        edges[1].box.give(rows_of(box, {rest.end, own.end}));
        // Edges come first, because neighbors wait for them.
        GroupPhase& sending = base.phases[static_cast<std::size_t>(sending_step)];
        for (int side = 0; side < 2; ++side) {
            sending.edges[side].reset();
            if (!edges[side].box.given().empty())
                sending.edges[side] = edges[side].work(sending_step, *base.queue[side]);
        }
    }

    // Poisons the parts of fields that the device computes or receives from its neighbors.
    void poison(const std::vector<std::string>& fields, Poison poison) {
        const lava::Box box = reached.box.given();
        if (box.empty()) return;
        std::vector<ByteArea> areas;
        for (const std::string& field : fields) {
            const Layout layout = base.store.layout(field);
            const int size = info(base.store.element(field)).size;
            const std::ptrdiff_t first = layout.origin() +
                                         static_cast<std::ptrdiff_t>(box.first_row) * layout.pitch +
                                         box.first_column;
            areas.push_back(
                {.first = static_cast<std::byte*>(base.store.next(field)) + first * size,
                 .pitch = static_cast<std::size_t>(layout.pitch * size),
                 .rows = static_cast<std::size_t>(box.rows()),
                 .width = static_cast<std::size_t>(box.columns() * size),
                 .element = base.store.element(field),
                 .output = field.c_str()});
        }
        base.middle->poison(areas, poison);
    }

    GroupPlace base;
    int sending_step;
    FieldStore board;  // all rows, without the fields that stages add
    ConstantOffsets constants;
    int block_rows;
    BoxPart reached;  // its rows of the box, and those of its neighbors that it updates
    BoxPart middle;   // rows computed after the edges, in the sending step
    BoxPart edges[2];

  private:
    static FieldStore& with_fields(FieldStore& store, const std::vector<StepPlan>& plans,
                                   Size size) {
        add_fields(store, plans, size, largest(plans, &Shape::halo));
        return store;
    }
    // Rounded up to whole blocks of threads, as on one device.
    int edge_rows(Rows own, int share) const {
        if (share == 0) return depth;
        const int least = std::max(depth, own.count() / share);
        return (least + block_rows - 1) / block_rows * block_rows;
    }
};

CAMBER_TARGET_END
