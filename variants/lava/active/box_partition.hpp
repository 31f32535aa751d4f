// Partition of the bounding box of the lava by rows. Every device allocates the whole board. The
// host regularly reads the boxes of all devices. If the total box has grown, or if another device
// joins, the host divides the rows anew and moves the state of reassigned rows. Outside of the box,
// all devices have the initial board, so nothing has to move. An inactive device gets no work
// (Rustico 2012, section 6.6).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/partition.hpp"
#include "harness/groups/runtime.hpp"
#include "harness/registry/pipeline_fields.hpp"
#include "variants/lava/active/box_device.hpp"

CAMBER_TARGET_BEGIN

class BoxPartition : public GroupPartition {
  public:
    // Throws Unsupported if the problem cannot be divided in this way.
    BoxPartition(Group& group, const Problem& problem, BoxGroupForm form, const Division& division,
                 const camber::Exchange& exchange)
        : group_(group),
          problem_(problem),
          form_(std::move(form)),
          exchange_(exchange),
          edge_share_(division.edge_share),
          rows_(division, problem.size.rows) {
        refuse(division);
        const std::vector<StepPlan> plans = form_.plans(nullptr);
        used_ = used_fields(plans);
        for (const StepPlan& plan : plans) {
            if (plan.sharing.sends()) sender_ = static_cast<int>(names_.size());
            names_.push_back(plan.step);
        }
        const Sharing& sharing = plans[static_cast<std::size_t>(sender_)].sharing;
        sent_ = sharing.sent;
        least_ = sharing.least;
        for (int place = 0; place < group_.places(); ++place) {
            boxes_.push_back(std::make_unique<BoxPlace>(group_.at(place), place, problem_, form_,
                                                        plans, sender_));
            add(boxes_.back()->base);
        }
        assign_rows(group_.places());
        set_at_work(0);
    }

    GroupSchedule schedule() const {
        GroupSchedule schedule;
        schedule.steps.clear();
        for (const std::string& name : names_)
            schedule.steps.push_back({name, static_cast<int>(schedule.steps.size()) == sender_});
        schedule.host_takes_part = true;  // the division is fixed within a recording
        return schedule;
    }
    ExchangeContext context() const override {
        return {group_, fields(), sent_, depth, true, false};
    }
    LeastNumbers least(int step) const override {
        LeastNumbers least;
        if (step != sender_ || at_work().size() == 1 || least_.empty()) return least;
        for (GroupPlace* const place : at_work())
            least.numbers.push_back(place->store.current(least_));
        const FieldStore& store = boxes_.front()->base.store;
        least.size = static_cast<std::size_t>(info(store.element(least_)).size);
        return least;
    }

    int upload(const State& initial, GroupRuntime& runtime) override {
        const lava::Mask active = form_.find_active(initial);
        const auto vents = initial.field("vents").cells<std::uint8_t>();
        for (const auto& place : boxes_) {
            place->base.store.upload(initial);
            place->for_each_part([](BoxPart& part) {
                for (const auto& stage : part.stages) stage->uploaded();
            });
            place->reached.box.upload(active, vents);
        }
        if (goes_through_host()) board_ = initial;
        group_.synchronize();
        rows_.begin();
        box_ = boxes_.front()->reached.box.given();
        divide(0, runtime);
        return 0;
    }
    void download(State& result) override {
        for (GroupPlace* const place : places()) place->store.download(result, 0, place->own);
    }
    void pass_through_host() override {
        if (at_work().size() == 1) return;
        download(board_);
        for (GroupPlace* const place : at_work()) place->store.upload(board_);
    }
    // Poisons the fields that the active devices write and receive.
    void poison(int step, Poison poison) override {
        if (step != sender_) return;
        for (int place = 0; place < rows_.at_work(); ++place) at(place).poison(sent_, poison);
    }
    void complete(int, int) override {}
    // Reads the cells that lava can reach, which determine the launches until the next read.
    void before_launch(int number, GroupRuntime& runtime) override {
        if (number == 0 || number % form_.read_every != 0) return;
        group_.synchronize();
        for (int place = 0; place < rows_.at_work(); ++place) {
            const lava::Box reached = at(place).reached.box.reached();
            if (reached.empty()) continue;
            if (box_.empty()) box_ = reached;
            box_.include(reached.first_row, reached.first_column);
            box_.include(reached.end_row - 1, reached.end_column - 1);
        }
        divide(number, runtime);
    }

  protected:
    virtual void move(const RowMovement& movement, Queue& queue) { move_rows(movement, queue); }
    // Copies the fields that are equal on all active devices to a device that joins them.
    virtual void copy_common(int joining) {
        for (const std::string& field : form_.common) {
            const FieldStore& first = at(0).base.store;
            const std::size_t bytes = first.layout(field).elements() *
                                      static_cast<std::size_t>(info(first.element(field)).size);
            group_.lead().copy({at(joining).base.store.current(field),
                                bytes,
                                first.current(field),
                                bytes,
                                {bytes, 1}});
        }
    }

  private:
    static constexpr int depth = BoxPlace::depth;

    void refuse(const Division& division) const {
        const auto refuse = [](const std::string& why) {
            throw Unsupported("the box of cells at work cannot be divided: " + why);
        };
        if (group_.ranks()) refuse("each rank has a process of its own");
        if (division.partition != Partition::rows) refuse("its places have whole rows");
        if (exchange_.minimum == Minimum::lagged)
            refuse("a place that joins has no least number of the generation before");
        if (is_by_kernels(exchange_.path)) refuse("no kernel of its steps sends edge rows");
        if (division.halo_depth > 1)
            refuse(
                "its places share something in the middle of every generation, which a deeper "
                "halo does not save");
        if (division.balancing.rule != BalanceRule::none)
            refuse("its rows are divided by the box, not by the places' times");
        if (division.allocation != Allocation::whole)
            refuse(
                "its rows may come to any place, and a slab has its own rows only: choose whole "
                "boards");
    }
    bool goes_through_host() const { return exchange_.path == ExchangePath::everything; }
    BoxPlace& at(int place) const { return *boxes_[static_cast<std::size_t>(place)]; }

    // Sets every device's rows and neighbors as if `count` devices were active.
    void assign_rows(int count) {
        for (GroupPlace* const place : places()) {
            if (place->number < count)
                place->set_neighbours(place->number, count);
            else
                place->neighbours[0] = place->neighbours[1] = -1;
            place->own = rows_.stripes()[static_cast<std::size_t>(place->number)];
        }
    }

    void divide(int number, GroupRuntime& runtime) {
        // The box already includes a halo of one cell, which suffices for one step.
        lava::Box launched = box_;
        if (!launched.empty())
            for (int step = 1; step < form_.read_every; ++step)
                launched = launched.grown(problem_.size);
        const int before = number == 0 ? 0 : rows_.at_work();
        ExchangeContext& context = runtime.context();
        const Rows rows = launched.empty() ? Rows{} : Rows{launched.first_row, launched.end_row};
        const bool moves = rows_.divide(rows, number, [&](Rows of) {
            return boxes_.front()->reached.box.blocks(rows_of(launched, of));
        });
        if (moves && number > 0) {
            std::vector<Rows> parts;
            for (const auto& place : boxes_) parts.push_back(rows_.part(place->base.number));
            move({context.places, std::move(parts), used_, depth, false, problem_.size.rows},
                 group_.lead());
            for (int joining = before; joining < rows_.at_work(); ++joining) copy_common(joining);
        }
        for (const auto& place : boxes_) place->give(launched, share_of(place->base.number));
        assign_rows(rows_.at_work());
        set_at_work(rows_.at_work());
        context.divisions = rows_.divisions();
        context.moved_rows = 0;
        for (const RowDivision& division : rows_.divisions())
            context.moved_rows += division.moved_rows;
        context.box_rows.clear();
        for (int place = 0; place < rows_.at_work(); ++place)
            context.box_rows.push_back(rows_.part(place).count());
        runtime.divided_anew();
        group_.synchronize();
        runtime.restart();
    }

    // Device's rows of the box, and how it computes them.
    BoxShare share_of(int place) const {
        if (place >= rows_.at_work()) return {};
        const bool overlaps = exchange_.overlap && !goes_through_host();
        return {.own = rows_.part(place),
                .has_above = place > 0,
                .has_below = place + 1 < rows_.at_work(),
                // If everything passes through the host, all state arrives at the end of the step.
                .beyond = goes_through_host() ? 0 : depth,
                .edge_share = overlaps ? std::optional(edge_share_) : std::nullopt};
    }

    Group& group_;
    Problem problem_;
    BoxGroupForm form_;
    camber::Exchange exchange_;
    int edge_share_;
    BoxDivision rows_;
    std::vector<std::string> names_;  // of the steps
    std::vector<std::string> used_;   // fields
    std::vector<std::string> sent_;
    std::string least_;
    int sender_ = 0;  // the step that sends
    std::vector<std::unique_ptr<BoxPlace>> boxes_;
    State board_;    // host buffer if everything passes through the host
    lava::Box box_;  // cells that lava can reach in one step
};

CAMBER_TARGET_END
