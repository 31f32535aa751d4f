#include "harness/machine/queue/host_schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace camber {

namespace {

// So many pieces of work between two changes of the priorities, on average.
constexpr unsigned pieces_per_order = 4;

}  // namespace

HostSchedule::Lane& HostSchedule::open() {
    Lane& lane = *lanes_.emplace_back(std::make_unique<Lane>());
    lane.number_ = opened_++;
    return lane;
}

void HostSchedule::close(Lane& lane) noexcept {
    finish_all();  // also because one queue alone works at once
    std::erase_if(lanes_, [&](const auto& other) { return other.get() == &lane; });
}

void HostSchedule::add(Lane& lane, Item item) {
    item.known = host_;
    lane.items_.push_back(std::move(item));
    if (lanes_.size() == 1) finish(lane);
}

void HostSchedule::count(const void* counter, std::uint32_t number, const Lane& lane) {
    std::vector<WorkClock>& counted = counted_[counter];
    if (counted.size() < number) counted.resize(number);
    counted[number - 1] = lane.known_;
}

void HostSchedule::take_count(const void* counter, std::uint32_t number, Lane& lane) {
    const auto found = counted_.find(counter);
    if (found != counted_.end() && number <= found->second.size())
        lane.known_.take(found->second[number - 1]);
}

// Fisher and Yates, which gives the same order with every standard library.
void HostSchedule::redraw() {
    for (std::size_t i = lanes_.size(); i > 1; --i) std::swap(lanes_[i - 1], lanes_[random_() % i]);
}

// The first lane that can go on.
HostSchedule::Lane* HostSchedule::next() {
    const auto ready = [](const std::unique_ptr<Lane>& lane) {
        if (lane->items_.empty()) return false;
        const Item& item = lane->items_.front();
        return (!item.awaited || item.awaited->reached) && (!item.may_begin || item.may_begin());
    };
    const auto found = std::ranges::find_if(lanes_, ready);
    return found == lanes_.end() ? nullptr : found->get();
}

// Work that is left may be about memory that nobody keeps any longer.
void HostSchedule::give_up() {
    for (const auto& lane : lanes_) lane->items_.clear();
}

void HostSchedule::finish(Lane& lane) {
    while (!lane.items_.empty()) {
        if (lanes_.size() > 1 && random_() % pieces_per_order == 0) redraw();
        Lane* const ready = next();
        if (!ready) {
            give_up();
            throw std::logic_error("queues wait for work that none of them has");
        }
        const Item item = std::move(ready->items_.front());
        ready->items_.pop_front();
        ready->known_.take(item.known);
        if (item.awaited) ready->known_.take(item.awaited->known);
        ready->known_.count(ready->number_);
        if (!item.work && !item.part) continue;
        try {
            if (item.work)
                item.work();
            else if (!item.part())
                ready->items_.push_front(item);
        } catch (...) {
            give_up();
            throw;
        }
    }
    host_.take(lane.known_);
}

void HostSchedule::finish_all() noexcept {
    const auto busy = [](const std::unique_ptr<Lane>& lane) { return !lane->items_.empty(); };
    try {
        for (auto lane = lanes_.begin(); lane != lanes_.end();
             lane = std::ranges::find_if(lanes_, busy))
            finish(**lane);
    } catch (...) {
    }
}

}  // namespace camber
