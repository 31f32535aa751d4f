#include "harness/groups/group_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

GroupPipeline::GroupPipeline(std::unique_ptr<Group> group, const Problem& problem,
                             const std::vector<StepPlan>& plans, const Division& division,
                             const Exchange& exchange, const Substitutes& substitutes)
    : group_(std::move(group)),
      problem_(problem),
      bits_(bit_order_of(problem, plans)),
      stored_(problem.size),
      steps_(plans, division, exchange),
      allocation_(division.allocation),
      substitutes_(substitutes),
      stays_(exchange.path == ExchangePath::persistent),
      closed_(problem.boundary == Boundary::torus),
      balancing_(division.balancing) {
    refuse_balancing(division, exchange);
    if (bits_) {
        stored_.columns = bits_->words(problem.size.columns);
        if (closed_ && !bits_->fills(problem.size.columns))
            throw Unsupported(fmt::format(
                "a torus of {} columns of bits ends inside a group of {}, and places send each "
                "other whole words: choose a multiple of it",
                problem.size.columns, bits_->cells_per_group()));
    }
    lay_out(division);
    if (exchange.path == ExchangePath::stores || is_by_kernels(exchange.path))
        for (const auto& place : places_)
            for (const int neighbour : place->neighbours)
                if (neighbour >= 0) check_stores_reach(*group_, place->number, neighbour);
    for (const auto& place : places_) place->phases = steps_.phases_of(*place, problem_);
    find_minima(exchange);

    ExchangeContext& context =
        context_.emplace(ExchangeContext{*group_, fields_of_places(), sent_fields(plans),
                                         steps_.exchanged_rows(), steps_.depth() > 1, closed_});
    for (const std::string& field : context.fields)
        if (may_come_early(plans, field)) context.may_come_early = true;
    context.buffers = exchange.buffers;
    if (is_by_kernels(exchange.path))
        links_ = link();
    else if (exchange.path != ExchangePath::everything)
        exchange_ = substitutes_.make(exchange.path, context);
    if (balancing_.rule == BalanceRule::none) return;
    balancer_.emplace(balancing_, steps_.exchanged_rows());
    for (const auto& place : places_) timers_.emplace_back(*place->middle);
}

GroupPipeline::~GroupPipeline() = default;

void GroupPipeline::divide_anew(const std::vector<Rows>& stripes) {
    if (allocation_ != Allocation::whole || number_ % steps_.depth() != 0)
        throw std::logic_error("rows change their place that no other place can take now");
    end_exchange();
    group_->synchronize();
    const RowMovement movement{fields_of_places(),      stripes, used_fields(steps_.plans()),
                               steps_.exchanged_rows(), closed_, problem_.size.rows};
    context_->moved_rows += moved_rows(movement);
    substitutes_.move(movement, group_->lead());
    group_->synchronize();
    stripes_ = stripes;
    for (const auto& place : places_) {
        place->own = stripes_[static_cast<std::size_t>(place->number)];
        place->phases = steps_.phases_of(*place, problem_);
        place->for_each_part([](const GroupPart& part) { part.stage->uploaded(); });
        place->was_split = place->has_worked = false;
    }
    context_->places = fields_of_places();
    if (exchange_) exchange_->divide_anew(context_->places);
    if (links_) {
        links_ = link();
        links_->begin();
    }
    group_->synchronize();
}

void GroupPipeline::balance() {
    since_balanced_ = 0;
    end_exchange();
    std::vector<double> seconds;
    for (PlaceTimer& timer : timers_) seconds.push_back(timer.take());
    if (substitutes_.times) seconds = substitutes_.times(stripes_);
    const auto stripes = balancer_->divided_anew(stripes_, seconds);
    if (stripes != stripes_) divide_anew(stripes);
    // Makes the rows that were received available to all queues.
    group_->meet();
    for (const auto& place : places_) place->was_split = place->has_worked = false;
}

void GroupPipeline::upload(const State& initial) {
    group_->synchronize();
    if (bits_)
        board_ = in_words(initial, *bits_);
    else if (goes_through_host())
        board_ = initial;
    const State& stored = bits_ ? board_ : initial;
    for (const auto& place : places_) {
        upload(*place, stored);
        place->for_each_part([](const GroupPart& part) { part.stage->uploaded(); });
    }
    if (exchange_) exchange_->begin();
    if (links_) links_->begin();
    for (const auto& minimum : minima_)
        if (minimum) minimum->begin();
    group_->synchronize();
    number_ = 0;
    under_way_ = false;
}

void GroupPipeline::upload(GroupPlace& place, const State& state) {
    place.store.upload(state, place.first_row, closed_);
    if (!closed_) return;
    for (const HostField& field : state.fields) {
        if (!place.store.has(field.name())) continue;
        const Layout layout = place.store.layout(field.name());
        place.refresh_columns(field.name(), {-layout.halo, layout.rows + layout.halo}, false,
                              *place.middle);
    }
}

void GroupPipeline::download(State& result) {
    if (!bits_) return download_fields(result);
    State words = empty_words(result, *bits_);
    download_fields(words);
    from_words(words, *bits_, result);
}

void GroupPipeline::download_fields(State& result) {
    group_->synchronize();
    for (const auto& place : places_) place->store.download(result, place->first_row, place->own);
    if (group_->ranks())
        gather_rows(*group_->ranks(), stripes_, stored_, places_.front()->store, result);
}

// Updates the cells beyond the board's sides in the outputs of a step of `part`.
void GroupPipeline::refresh_beyond(const GroupPlace& place, const GroupPart& part, int step) const {
    if (closed_)
        for (const std::string& field : steps_.outputs(step))
            place.refresh_columns(field, part.rows, true, part.queue);
    else if (bits_ && !links_ && !bits_->fills(problem_.size.columns))
        part.stage->refresh_halo();
}

void GroupPipeline::advance(int generations) {
    // synchronize() throws during a recording: recorded work cannot change its rows, and a replay
    // would not guarantee that kernels that wait for each other run at the same time.
    if (balancer_ || stays_) group_->synchronize();
    group_->fork();
    for (const auto& place : places_) place->was_split = place->has_worked = false;
    if (stays_) {
        advance_staying(generations);
        group_->join();
        return;
    }
    for (int i = 0; i < generations; ++i) {
        generation();
        if (balancer_ && ++since_balanced_ >= balancing_.every && number_ % steps_.depth() == 0)
            balance();
    }
    // The rows sent last are received in the same submission, which may be replayed unchanged.
    end_exchange();
    group_->join();
}

void GroupPipeline::advance_staying(int generations) {
    while (generations > 0) {
        // Only the outputs of one generation are poisoned.
        const int at_once = poison_ ? 1 : generations;
        if (poison_) poison_outputs(0);
        poison_.reset();
        for (const auto& place : places_)
            place->phases.front().middle->linked->enqueue(number_, at_once,
                                                          links_->of(place->number));
        if (at_once % 2 != 0)
            for (const auto& place : places_)
                for (const std::string& field : steps_.outputs(0)) place->store.swap(field);
        number_ += at_once;
        generations -= at_once;
    }
}

void GroupPipeline::end_exchange() {
    if (under_way_)
        for (const auto& place : places_) receive_edges(*place, place->was_split);
    under_way_ = false;
}

void GroupPipeline::generation() {
    const int first = number_ % steps_.depth() * steps_.count();
    for (int step = 0; step < steps_.count(); ++step) {
        std::optional<MarkedRange> marked;
        const std::string& name = steps_.name(step);
        if (!name.empty()) marked.emplace(name, number_);
        if (poison_) poison_outputs(first + step);
        for (const auto& place : places_) enqueue(*place, first + step, number_);
        if (first + step == 0) under_way_ = false;
        for (const auto& place : places_)
            for (const std::string& field : steps_.outputs(step)) place->store.swap(field);
        share(step);
    }
    poison_.reset();
    ++number_;
    if (number_ % steps_.depth() != 0) return;
    if (goes_through_host())
        through_host();
    else if (exchange_ && !steps_.sender())
        send_edges();
}

// Exchanges the data that devices need before the next step of the same generation.
void GroupPipeline::share(int step) {
    if (exchange_ && steps_.sender() == step) {
        send_edges();
        for (const auto& place : places_) {
            receive_edges(*place, place->was_split);
            if (!place->was_split) continue;
            for (const Side side : sides)
                place->queue[index(side)]->record(*place->edge_done[index(side)]);
        }
        under_way_ = false;
    }
    GroupMinimum* const minimum = minima_[static_cast<std::size_t>(step)].get();
    if (!minimum) return;
    for (const auto& place : places_) {
        if (place->was_split)
            for (const Side side : sides) place->middle->wait(*place->edge_done[index(side)]);
        place->was_split = false;
    }
    minimum->take();
    // Edges of the next step wait for the minimum, too.
    for (const auto& place : places_) place->middle->record(*place->middle_done);
}

void GroupPipeline::enqueue(GroupPlace& place, int number_of_phase, int number) {
    const GroupPhase& phase = place.phases[static_cast<std::size_t>(number_of_phase)];
    const bool split = phase.is_split();
    if (split)
        for (const Side side : sides)
            if (phase.edges[index(side)] && place.has_worked)
                place.queue[index(side)]->wait(*place.middle_done);
    if (place.was_split)
        for (const Side side : sides) place.middle->wait(*place.edge_done[index(side)]);
    if (number_of_phase == 0 && under_way_) receive_edges(place, split);
    // Edges come first: the neighbors wait for them.
    PlaceTimer* const timer =
        balancer_ ? &timers_[static_cast<std::size_t>(place.number)] : nullptr;
    phase.for_each([&](const GroupPart& part) {
        const bool is_timed = timer && &part == phase.middle.get();
        if (is_timed) timer->start();
        if (links_)
            part.linked->enqueue(number, 1, links_->of(place.number));
        else
            part.stage->enqueue(number);
        if (is_timed) timer->stop();
        refresh_beyond(place, part, number_of_phase % steps_.count());
    });
    if (split)
        for (const Side side : sides)
            place.queue[index(side)]->record(*place.edge_done[index(side)]);
    place.middle->record(*place.middle_done);
    place.was_split = split;
    place.has_worked = true;
}

void GroupPipeline::receive_edges(GroupPlace& place, bool on_edges) {
    for (const Side side : sides)
        if (place.neighbours[index(side)] >= 0)
            exchange_->receive(place.number, side,
                               on_edges ? *place.queue[index(side)] : *place.middle);
}

void GroupPipeline::send_edges() {
    const auto queue_of = [](const GroupPlace& place, Side side) -> Queue& {
        return place.was_split ? *place.queue[index(side)] : *place.middle;
    };
    const auto for_all = [&](const auto& f) {
        for (const auto& place : places_)
            for (const Side side : sides)
                if (place->neighbours[index(side)] >= 0) f(*place, side);
    };
    for_all([&](const GroupPlace& place, Side side) {
        exchange_->release(place.number, side, queue_of(place, side));
    });
    for_all([&](const GroupPlace& place, Side side) {
        exchange_->send(place.number, side, queue_of(place, side));
    });
    under_way_ = true;
}

void GroupPipeline::through_host() {
    download_fields(board_);
    for (const auto& place : places_) upload(*place, board_);
    group_->synchronize();
}

void GroupPipeline::poison_outputs(int phase) {
    group_->meet();
    const std::vector<std::string>& outputs = steps_.outputs(phase % steps_.count());
    for (const auto& place : places_) {
        std::vector<FieldStore::Poisoned> poisoned;
        place->phases[static_cast<std::size_t>(phase)].for_each([&](const GroupPart& part) {
            for (const std::string& field : outputs) poisoned.push_back({field, part.rows});
        });
        // Also the neighbor rows that are received in these outputs.
        const Rows reached = place->extended(steps_.reach());
        if (exchange_ && steps_.sender() == phase)
            for (const std::string& field : outputs)
                for (const Rows rows :
                     {Rows{reached.first, place->own.first}, Rows{place->own.end, reached.end}})
                    if (rows.count() > 0) poisoned.push_back({field, rows});
        place->store.poison_next(poisoned, *poison_);
    }
    group_->meet();
}

}  // namespace camber
