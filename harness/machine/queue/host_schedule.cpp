// Order of work on several host queues: the random schedule, rows that queues deliver to each
// other, and waits for them.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "harness/machine/queue/host_memory.hpp"

namespace camber {

namespace {

// Average number of pieces of work between two changes of the priorities.
constexpr unsigned pieces_per_order = 4;

}  // namespace

HostSchedule::Lane& HostSchedule::open() {
    Lane& lane = *lanes_.emplace_back(std::make_unique<Lane>());
    lane.number_ = opened_++;
    return lane;
}

void HostSchedule::close(Lane& lane) noexcept {
    finish_all();  // also restores immediate execution if one queue remains
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

// Fisher-Yates shuffle, which gives the same order with every standard library.
void HostSchedule::redraw() {
    for (std::size_t i = lanes_.size(); i > 1; --i) std::swap(lanes_[i - 1], lanes_[random_() % i]);
}

// Returns the first lane that can continue.
HostSchedule::Lane* HostSchedule::next() {
    const auto ready = [](const std::unique_ptr<Lane>& lane) {
        if (lane->items_.empty()) return false;
        const Item& item = lane->items_.front();
        return (!item.awaited || item.awaited->reached) && (!item.may_begin || item.may_begin());
    };
    const auto found = std::ranges::find_if(lanes_, ready);
    return found == lanes_.end() ? nullptr : found->get();
}

// Discards remaining work, as it may use memory that has been freed.
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

// Stores into other devices' host memory, and waits for such stores.
void HostMemoryQueue::deliver(std::span<const Transfer> transfers, std::uint32_t* arrivals,
                              std::uint32_t*) {
    perform([=, this, all = std::vector<Transfer>(transfers.begin(), transfers.end())] {
        const SpanTimer span = timed(SpanKind::peer, "stores");
        for (const Transfer& transfer : all) transfer_now(transfer);
        ++*arrivals;
        if (observer()) schedule_->count(arrivals, *arrivals, lane_);
    });
}

void HostMemoryQueue::await(const std::uint32_t* arrivals, std::uint32_t* taken) {
    enqueue([=, this] {
        const auto has_come = [=] { return static_cast<std::int32_t>(*arrivals - *taken) > 0; };
        const auto take = [=, this] {
            ++*taken;
            if (observer()) schedule_->take_count(arrivals, *taken, lane_);
        };
        schedule_->add(lane_, {take, nullptr, has_come});
    });
}

void HostMemoryQueue::least_of_places(const PlacesNumber& number) {
    // Counters that identify each message between two devices for a checker.
    const auto counter = [=](int to, int from) {
        return number.slots[to] + number.slot(0, from, 0);
    };
    perform([=, this] {
        const std::size_t size = sizeof(std::uint32_t) * static_cast<std::size_t>(number.words);
        std::uint32_t words[2] = {};
        std::memcpy(words, number.number, size);
        if (observer()) observer()->read(number.number, size, {size, 1});
        const std::uint32_t time = *number.turn + 1;
        for (int to = 0; to < number.places; ++to) {
            for (int word = 0; word < number.words; ++word)
                number.slots[to][number.slot(time, number.place, word)] =
                    std::uint64_t{time} << 32 | words[word];
            if (observer()) schedule_->count(counter(to, number.place), time, lane_);
        }
    });
    enqueue([=, this] {
        const auto received = [=](int from, int word) {
            return number.slots[number.place][number.slot(*number.turn + 1, from, word)];
        };
        const auto have_come = [=] {
            for (int from = 0; from < number.places; ++from)
                for (int word = 0; word < number.words; ++word)
                    if (received(from, word) >> 32 != *number.turn + 1) return false;
            return true;
        };
        const auto take = [=, this] {
            const SpanTimer span = timed(SpanKind::barrier, "least of all places");
            if (observer()) {
                for (int from = 0; from < number.places; ++from)
                    schedule_->take_count(counter(number.place, from), *number.turn + 1, lane_);
                observer()->work_begins(*this, lane_.number(), lane_.known());
            }
            // The bit patterns of non-negative floating-point numbers have the same order as the
            // numbers.
            std::uint64_t least = ~std::uint64_t{0};
            for (int from = 0; from < number.places; ++from) {
                std::uint64_t bits = 0;
                for (int word = 0; word < number.words; ++word)
                    bits |= (received(from, word) & 0xffffffffu) << 32 * word;
                least = std::min(least, bits);
            }
            const std::size_t size = sizeof(std::uint32_t) * static_cast<std::size_t>(number.words);
            std::memcpy(number.number, &least, size);
            if (observer()) observer()->written(number.number, size, {size, 1});
            ++*number.turn;
        };
        schedule_->add(lane_, {take, nullptr, have_come});
    });
}

void HostMemoryQueue::put_off(std::function<bool()> may_begin) {
    enqueue([this, may_begin = std::move(may_begin)] {
        schedule_->add(lane_, {{}, nullptr, may_begin});
    });
}

}  // namespace camber
