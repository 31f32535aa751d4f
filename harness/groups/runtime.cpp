#include "harness/groups/runtime.hpp"

#include <algorithm>
#include <utility>

#include "harness/machine/queue/span_log.hpp"

namespace camber {

bool GroupSchedule::has_sender() const {
    return std::ranges::any_of(steps, &Step::sends);
}

std::vector<PlaceFields> GroupPartition::fields() const {
    std::vector<PlaceFields> fields;
    for (GroupPlace* const place : places_)
        fields.push_back({&place->store,
                          place->own,
                          place->first_row,
                          {place->neighbours[0], place->neighbours[1]}});
    return fields;
}

GroupRuntime::GroupRuntime(std::unique_ptr<Group> group, std::unique_ptr<GroupPartition> partition,
                           const GroupExchange& exchange, GroupSchedule schedule)
    : group_(std::move(group)),
      partition_(std::move(partition)),
      makers_(exchange),
      schedule_(std::move(schedule)),
      context_(partition_->context()),
      minima_(schedule_.steps.size()) {
    const ExchangePath path = makers_.way.path;
    bool has_neighbours = false;
    for (const GroupPlace* const place : partition_->places())
        for (const int neighbour : place->neighbours) {
            if (neighbour < 0) continue;
            has_neighbours = true;
            if (path == ExchangePath::stores || is_by_kernels(path))
                check_stores_reach(*group_, place->number, neighbour);
        }
    context_.buffers = makers_.way.buffers;
    if (has_neighbours && path != ExchangePath::everything && !is_by_kernels(path))
        exchange_ = makers_.halo(path, context_);
    find_minima();
    if (schedule_.is_timed)
        for (const GroupPlace* const place : partition_->places())
            timers_.emplace_back(*place->middle);
}

bool GroupRuntime::find_minima() {
    const std::size_t places = partition_->at_work().size();
    if (std::exchange(minimum_places_, places) == places) return false;
    for (int step = 0; step < static_cast<int>(minima_.size()); ++step) {
        std::unique_ptr<GroupMinimum>& minimum = minima_[static_cast<std::size_t>(step)];
        minimum.reset();
        LeastNumbers least = partition_->least(step);
        if (least.numbers.empty()) continue;
        minimum = makers_.minimum(makers_.way.path, *group_, std::move(least.numbers), least.size);
    }
    return true;
}

void GroupRuntime::begin_minima() {
    for (const auto& minimum : minima_)
        if (minimum) minimum->begin();
}

void GroupRuntime::divided_anew() {
    context_.places = partition_->fields();
    if (exchange_) exchange_->divide_anew(context_.places);
    if (find_minima()) begin_minima();
}

void GroupRuntime::restart() {
    group_->fork();
    for (GroupPlace* const place : partition_->places())
        place->was_split = place->has_worked = false;
}

std::vector<double> GroupRuntime::take_times() {
    std::vector<double> seconds;
    for (PlaceTimer& timer : timers_) seconds.push_back(timer.take());
    return seconds;
}

void GroupRuntime::upload(const State& initial) {
    group_->synchronize();
    under_way_ = false;
    number_ = partition_->upload(initial, *this);
    if (exchange_) exchange_->begin();
    begin_minima();
    group_->synchronize();
}

void GroupRuntime::download(State& result) {
    group_->synchronize();
    partition_->download(result);
}

void GroupRuntime::poison(Poison poison) {
    if (!partition_->poison_ahead(number_, poison)) poison_ = poison;
}

void GroupRuntime::advance(int generations) {
    // synchronize() throws during a recording. A division cannot change within one, and a replay
    // would not guarantee that kernels that wait for each other run at the same time.
    if (schedule_.host_takes_part || schedule_.persistent) group_->synchronize();
    restart();
    while (generations > 0) {
        // Only the outputs of one generation are poisoned.
        const int at_once = schedule_.persistent && !poison_ ? generations : schedule_.generations;
        launch(at_once);
        generations -= at_once;
    }
    // The edges sent last are received in the same submission, which may be replayed unchanged.
    end_exchange();
    group_->join();
}

void GroupRuntime::end_exchange() {
    if (std::exchange(under_way_, false))
        for (GroupPlace* const place : partition_->at_work())
            receive_edges(*place, place->was_split);
}

void GroupRuntime::launch(int generations) {
    partition_->before_launch(number_, *this);
    if (schedule_.receives_first) end_exchange();
    const int steps = static_cast<int>(schedule_.steps.size());
    const int first = number_ / schedule_.generations % schedule_.depth * steps;
    for (int step = 0; step < steps; ++step) {
        std::optional<MarkedRange> marked;
        const std::string& name = schedule_.steps[static_cast<std::size_t>(step)].name;
        if (!name.empty()) marked.emplace(name, number_);
        if (poison_) poison_outputs(first + step);
        for (GroupPlace* const place : partition_->at_work())
            enqueue(*place, first + step, generations);
        if (first + step == 0) under_way_ = false;
        partition_->complete(step, generations);
        share(step);
    }
    poison_.reset();
    number_ += generations;
    if (number_ / schedule_.generations % schedule_.depth == 0) {
        if (makers_.way.path == ExchangePath::everything) {
            group_->synchronize();
            partition_->pass_through_host();
            group_->synchronize();
        } else if (exchange_ && !schedule_.has_sender()) {
            send_edges();
        }
    }
    partition_->after_launch(number_, *this);
}

void GroupRuntime::enqueue(GroupPlace& place, int number_of_phase, int generations) {
    const GroupPhase& phase = place.phases[static_cast<std::size_t>(number_of_phase)];
    const bool split = phase.is_split();
    if (split && place.has_worked)
        for (const Side side : sides)
            if (phase.edges[index(side)] || place.neighbours[index(side)] >= 0)
                place.queue[index(side)]->wait(*place.middle_done);
    if (place.was_split)
        for (const Side side : sides) place.middle->wait(*place.edge_done[index(side)]);
    if (number_of_phase == 0 && under_way_) receive_edges(place, split);
    PlaceTimer* const timer = timers_.empty() || !phase.is_timed
                                  ? nullptr
                                  : &timers_[static_cast<std::size_t>(place.number)];
    // Edges come first: the neighbors wait for them.
    phase.for_each([&](const GroupPart& part) {
        const bool is_timed = timer && &part == &phase.middle;
        if (is_timed) timer->start();
        part.enqueue(number_, generations);
        if (is_timed) timer->stop();
        if (part.refresh) part.refresh();
    });
    if (split)
        for (const Side side : sides)
            place.queue[index(side)]->record(*place.edge_done[index(side)]);
    place.middle->record(*place.middle_done);
    place.was_split = split;
    place.has_worked = true;
}

// Exchanges the data that devices need before the next step of the same generation.
void GroupRuntime::share(int step) {
    if (exchange_ && schedule_.steps[static_cast<std::size_t>(step)].sends) {
        send_edges();
        for (GroupPlace* const place : partition_->at_work()) {
            receive_edges(*place, place->was_split);
            if (!place->was_split) continue;
            for (const Side side : sides)
                place->queue[index(side)]->record(*place->edge_done[index(side)]);
        }
        under_way_ = false;
    }
    GroupMinimum* const minimum = minima_[static_cast<std::size_t>(step)].get();
    if (!minimum) return;
    for (GroupPlace* const place : partition_->at_work()) {
        if (place->was_split)
            for (const Side side : sides) place->middle->wait(*place->edge_done[index(side)]);
        place->was_split = false;
    }
    minimum->take();
    // Edges of the next step wait for the minimum, too.
    for (GroupPlace* const place : partition_->at_work())
        place->middle->record(*place->middle_done);
}

void GroupRuntime::receive_edges(GroupPlace& place, bool on_edges) {
    for (const Side side : sides)
        if (place.neighbours[index(side)] >= 0)
            exchange_->receive(place.number, side,
                               on_edges ? *place.queue[index(side)] : *place.middle);
}

void GroupRuntime::send_edges() {
    const auto for_all = [&](const auto& f) {
        for (GroupPlace* const place : partition_->at_work())
            for (const Side side : sides)
                if (place->neighbours[index(side)] >= 0)
                    f(place->number, side,
                      place->was_split ? *place->queue[index(side)] : *place->middle);
    };
    for_all([&](int place, Side side, Queue& queue) { exchange_->release(place, side, queue); });
    for_all([&](int place, Side side, Queue& queue) { exchange_->send(place, side, queue); });
    under_way_ = true;
}

void GroupRuntime::poison_outputs(int phase) {
    group_->meet();
    partition_->poison(phase, *poison_);
    group_->meet();
}

}  // namespace camber
