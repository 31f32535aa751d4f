// Launch set on several devices: the bounding box of the lava is divided by rows. Every device
// allocates the whole board. The host regularly reads the boxes of all devices. If the total box
// has grown, or if another device joins, the host divides the rows anew and moves the state of
// reassigned rows. Outside of the box, all devices have the initial board, so nothing has to move.
// An inactive device gets no work (Rustico 2012, section 6.6).
//
// The exchanges within a step, and their order, are the same as in GroupPipeline.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/groups/partition.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/registry/pipeline_fields.hpp"
#include "variants/lava/active/box_device.hpp"

CAMBER_TARGET_BEGIN

// Replacements for parts of the group, for tests.
struct BoxGroupParts {
    std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)> make =
        make_exchange;
    RowMover move = move_rows;
    bool copies_common = true;
};

class BoxGroup final : public Execution {
  public:
    using Parts = BoxGroupParts;

    // Throws Unsupported if the problem cannot be divided in this way.
    BoxGroup(std::unique_ptr<Group> group, const Problem& problem, BoxGroupForm form,
             const Division& division, const camber::Exchange& exchange, Parts parts = {})
        : group_(std::move(group)),
          problem_(problem),
          form_(std::move(form)),
          exchange_ways_(exchange),
          parts_(std::move(parts)),
          edge_share_(division.edge_share),
          rows_(division, problem.size.rows) {
        refuse(division, exchange);
        const std::vector<StepPlan> plans = form_.plans(nullptr);
        used_ = used_fields(plans);
        for (const StepPlan& plan : plans) {
            if (plan.sharing.sends()) sender_ = static_cast<int>(names_.size());
            names_.push_back(plan.step);
        }
        const Sharing& sharing = plans[static_cast<std::size_t>(sender_)].sharing;
        sent_ = sharing.sent;
        least_ = sharing.least;
        const int count = group_->places();
        for (int place = 0; place < count; ++place)
            places_.push_back(
                std::make_unique<BoxPlace>(group_->at(place), place, problem_, form_, plans));
        if (exchange.path == ExchangePath::stores)
            for (int place = 0; place + 1 < count; ++place) {
                check_stores_reach(*group_, place, place + 1);
                check_stores_reach(*group_, place + 1, place);
            }
        context_.emplace(
            ExchangeContext{*group_, fields_of_places(count), sent_, depth, true, false});
        context_->buffers = exchange.buffers;
        if (exchange.path != ExchangePath::everything)
            exchange_ = parts_.make(exchange.path, *context_);
    }

    void upload(const State& initial) override {
        group_->synchronize();
        const lava::Mask active = form_.find_active(initial);
        const auto vents = initial.field("vents").cells<std::uint8_t>();
        for (const auto& place : places_) {
            place->base.store.upload(initial);
            place->for_each_part([](BoxPart& part) {
                for (const auto& stage : part.stages) stage->uploaded();
            });
            place->reached.box.upload(active, vents);
        }
        if (exchange_) exchange_->begin();
        if (goes_through_host()) board_ = initial;
        group_->synchronize();
        number_ = 0;
        rows_.begin();
        context_->moved_rows = 0;
        box_ = places_.front()->reached.box.given();
        minimum_places_ = 0;
        divide();
    }
    void download(State& result) override {
        group_->synchronize();
        for (const auto& place : places_) place->base.store.download(result, 0, place->base.own);
    }
    // Poisons the fields that the active devices write and receive.
    void poison(Poison poison) override { poison_ = poison; }
    const ExchangeContext* divided() const override { return &context_.value(); }

    void advance(int generations) override {
        // The division is fixed within a recording.
        group_->synchronize();
        group_->fork();
        for (int i = 0; i < generations; ++i) {
            if (number_ > 0 && number_ % form_.read_every == 0) look();
            step();
        }
        group_->join();
    }

  private:
    static constexpr int depth = BoxPlace::depth;

    void refuse(const Division& division, const camber::Exchange& exchange) const {
        const auto refuse = [](const std::string& why) {
            throw Unsupported("the box of cells at work cannot be divided: " + why);
        };
        if (group_->ranks()) refuse("each rank has a process of its own");
        if (division.partition != Partition::rows) refuse("its places have whole rows");
        if (exchange.minimum == Minimum::lagged)
            refuse("a place that joins has no least number of the generation before");
        if (is_by_kernels(exchange.path)) refuse("no kernel of its steps sends edge rows");
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
    bool goes_through_host() const { return exchange_ == nullptr; }
    BoxPlace& at(int place) { return *places_[static_cast<std::size_t>(place)]; }

    template <class F>
    void for_places_at_work(const F& f) {
        for (int place = 0; place < rows_.at_work(); ++place) f(at(place));
    }
    template <class F>
    void for_all_sides(const F& f) {
        for_places_at_work([&](BoxPlace& place) {
            for (const Side side : sides)
                if (place.base.neighbours[index(side)] >= 0)
                    f(place.base, side,
                      place.base.was_split ? *place.base.queue[index(side)] : *place.base.middle);
        });
    }

    // Fields of all devices as if `at_work` devices were active.
    std::vector<PlaceFields> fields_of_places(int at_work) {
        std::vector<PlaceFields> fields;
        for (const auto& place : places_) {
            GroupPlace& base = place->base;
            const bool works = base.number < at_work;
            base.neighbours[0] = works && base.number > 0 ? base.number - 1 : -1;
            base.neighbours[1] = works && base.number + 1 < at_work ? base.number + 1 : -1;
            base.own = rows_.stripes()[static_cast<std::size_t>(base.number)];
            fields.push_back({&base.store, base.own, 0, {base.neighbours[0], base.neighbours[1]}});
        }
        return fields;
    }

    // Reads the cells that lava can reach, which determine the launches until the next read.
    void look() {
        group_->synchronize();
        for_places_at_work([&](BoxPlace& place) {
            const lava::Box reached = place.reached.box.reached();
            if (reached.empty()) return;
            if (box_.empty()) box_ = reached;
            box_.include(reached.first_row, reached.first_column);
            box_.include(reached.end_row - 1, reached.end_column - 1);
        });
        divide();
    }

    void divide() {
        // The box already includes a halo of one cell, which suffices for one step.
        lava::Box launched = box_;
        if (!launched.empty())
            for (int step = 1; step < form_.read_every; ++step)
                launched = launched.grown(problem_.size);
        const int before = number_ == 0 ? 0 : rows_.at_work();
        const std::vector<PlaceFields> had = context_->places;
        const Rows rows = launched.empty() ? Rows{} : Rows{launched.first_row, launched.end_row};
        const bool moves = rows_.divide(rows, number_, [&](Rows of) {
            return places_.front()->reached.box.blocks(rows_of(launched, of));
        });
        if (moves && number_ > 0) move(had, before);
        for (const auto& place : places_) place->give(launched, share_of(place->base.number));
        context_->places = fields_of_places(rows_.at_work());
        context_->divisions = rows_.divisions();
        context_->moved_rows = 0;
        for (const RowDivision& division : rows_.divisions())
            context_->moved_rows += division.moved_rows;
        context_->box_rows.clear();
        for (int place = 0; place < rows_.at_work(); ++place)
            context_->box_rows.push_back(rows_.part(place).count());
        if (exchange_) exchange_->divide_anew(context_->places);
        find_minimum();
        group_->synchronize();
        group_->fork();
        for (const auto& place : places_) place->base.was_split = false;
    }

    void move(const std::vector<PlaceFields>& had, int before) {
        std::vector<Rows> parts;
        for (const auto& place : places_) parts.push_back(rows_.part(place->base.number));
        const RowMovement movement{had, std::move(parts), used_, depth, false, problem_.size.rows};
        parts_.move(movement, group_->lead());
        if (!parts_.copies_common) return;
        for (int joining = before; joining < rows_.at_work(); ++joining)
            for (const std::string& field : form_.common) {
                const FieldStore& first = at(0).base.store;
                const std::size_t bytes = first.layout(field).elements() *
                                          static_cast<std::size_t>(info(first.element(field)).size);
                group_->lead().copy({at(joining).base.store.current(field),
                                     bytes,
                                     first.current(field),
                                     bytes,
                                     {bytes, 1}});
            }
    }

    // Device's rows of the box, and how it computes them.
    BoxShare share_of(int place) const {
        if (place >= rows_.at_work()) return {};
        const bool overlaps = exchange_ways_.overlap && !goes_through_host();
        return {.own = rows_.part(place),
                .has_above = place > 0,
                .has_below = place + 1 < rows_.at_work(),
                // If everything passes through the host, all state arrives at the end of the step.
                .beyond = goes_through_host() ? 0 : depth,
                .edge_share = overlaps ? std::optional(edge_share_) : std::nullopt};
    }

    void find_minimum() {
        if (rows_.at_work() == minimum_places_) return;
        minimum_places_ = rows_.at_work();
        minimum_.reset();
        if (minimum_places_ == 1 || least_.empty()) return;
        std::vector<void*> numbers;
        for_places_at_work(
            [&](BoxPlace& place) { numbers.push_back(place.base.store.current(least_)); });
        const FieldStore& store = at(0).base.store;
        minimum_ = make_group_minimum(exchange_ways_.path, *group_, std::move(numbers),
                                      static_cast<std::size_t>(info(store.element(least_)).size));
        minimum_->begin();
    }

    void step() {
        for (int step = 0; step < static_cast<int>(names_.size()); ++step) {
            std::optional<MarkedRange> marked;
            const std::string& name = names_[static_cast<std::size_t>(step)];
            if (!name.empty()) marked.emplace(name, number_);
            if (poison_ && step == sender_) poison_outputs();
            for_places_at_work([&](BoxPlace& place) { enqueue(place, step); });
            if (step == sender_) share();
        }
        ++number_;
        if (goes_through_host() && rows_.at_work() > 1) through_host();
    }

    void enqueue(BoxPlace& place, int step) const {
        GroupPlace& base = place.base;
        const auto stage = [&](BoxPart& part) {
            part.stages[static_cast<std::size_t>(step)]->enqueue(number_);
        };
        if (step != sender_) {
            stage(place.reached);
        } else {
            base.was_split = place.is_split();
            // Edges first, because neighbors wait for them.
            for (const Side side : sides) {
                Queue& queue = *base.queue[index(side)];
                queue.wait(*base.middle_done);
                if (!place.edges[index(side)].box.given().empty()) stage(place.edges[index(side)]);
            }
            stage(place.middle);
        }
        base.middle->record(*base.middle_done);
    }

    // Exchanges the data that devices need from each other before the next kernel of the same step.
    void share() {
        if (exchange_ && rows_.at_work() > 1) {
            for_all_sides([&](const GroupPlace& place, Side side, Queue& queue) {
                exchange_->release(place.number, side, queue);
            });
            for_all_sides([&](const GroupPlace& place, Side side, Queue& queue) {
                exchange_->send(place.number, side, queue);
            });
            for_all_sides([&](const GroupPlace& place, Side side, Queue& queue) {
                exchange_->receive(place.number, side, queue);
            });
        }
        for_places_at_work([&](BoxPlace& place) {
            GroupPlace& base = place.base;
            if (base.was_split)
                for (const Side side : sides) {
                    base.queue[index(side)]->record(*base.edge_done[index(side)]);
                    base.middle->wait(*base.edge_done[index(side)]);
                }
            base.was_split = false;
        });
        if (minimum_) minimum_->take();
        for_places_at_work(
            [](BoxPlace& place) { place.base.middle->record(*place.base.middle_done); });
    }

    void through_host() {
        download(board_);
        for_places_at_work([&](BoxPlace& place) { place.base.store.upload(board_); });
        group_->synchronize();
    }

    void poison_outputs() {
        group_->meet();
        for_places_at_work([&](BoxPlace& place) { place.poison(sent_, *poison_); });
        group_->meet();
        poison_.reset();
    }

    std::unique_ptr<Group> group_;
    Problem problem_;
    BoxGroupForm form_;
    camber::Exchange exchange_ways_;
    Parts parts_;
    int edge_share_;
    BoxDivision rows_;
    std::vector<std::string> names_;  // of the steps
    std::vector<std::string> used_;   // fields
    std::vector<std::string> sent_;
    std::string least_;
    int sender_ = 0;  // the step that sends
    std::vector<std::unique_ptr<BoxPlace>> places_;
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;  // nullptr: everything passes through the host
    State board_;                             // host buffer in that case
    std::unique_ptr<GroupMinimum> minimum_;   // over the active devices; nullptr: one device
    int minimum_places_ = 0;
    lava::Box box_;   // cells that lava can reach in one step
    int number_ = 0;  // of the next step
    std::optional<Poison> poison_;
};

CAMBER_TARGET_END
