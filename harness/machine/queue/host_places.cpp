// What places whose memory is the host's send one another, and how they wait for it.
#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/machine/queue/host_memory.hpp"

namespace camber {

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
    // By which a checker knows what one place sends another.
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
            // The bits of numbers that are not negative are ordered as they are.
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
