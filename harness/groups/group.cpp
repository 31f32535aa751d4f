#include "harness/groups/group.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "harness/machine/queue/devices.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

Group::Group(Queue& lead, std::span<const int> devices, Communicator* ranks, HostWait host_wait)
    : devices_(devices.begin(), devices.end()),
      ranks_(ranks),
      host_wait_(host_wait),
      forked_(lead.make_event()) {
    const auto own = [&](std::unique_ptr<Queue> queue) {
        joined_.push_back(queue->make_event());
        return owned_.emplace_back(std::move(queue)).get();
    };
    const bool on_devices = lead.backend() == Backend::cuda;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        Place& place = places_.emplace_back();
        if (i == 0)
            place.middle = &lead;
        else
            place.middle = own(on_devices ? open_cuda(devices_[i]) : lead.open_beside());
        place.above = own(place.middle->open_beside());
        place.below = own(place.middle->open_beside());
    }
    if (!on_devices) return;
    for (const int device : devices_)
        for (const int other : devices_)
            if (device != other) open_peer(device, other);
}

bool Group::reaches(int place, int other) const {
    if (lead().backend() != Backend::cuda) return true;
    const int from = devices_[static_cast<std::size_t>(place)];
    const int to = devices_[static_cast<std::size_t>(other)];
    return from == to || open_peer(from, to);
}

void Group::fork() {
    lead().record(*forked_);
    for (const auto& queue : owned_) queue->wait(*forked_);
}

void Group::join() {
    for (std::size_t i = 0; i < owned_.size(); ++i) {
        owned_[i]->record(*joined_[i]);
        lead().wait(*joined_[i]);
    }
}

void Group::meet() {
    join();
    fork();
}

void Group::synchronize() {
    lead().finish(host_wait_);
    for (const auto& queue : owned_) queue->finish(host_wait_);
}

namespace {

std::size_t nth(int place) {
    return static_cast<std::size_t>(place);
}

// The host waits for all numbers, and sends the minimum to all devices.
class HostMinimum final : public GroupMinimum {
  public:
    HostMinimum(Group& group, std::vector<void*> numbers, std::size_t size)
        : group_(group),
          numbers_(std::move(numbers)),
          size_(size),
          buffer_(group.lead(), size * (numbers_.size() + 1)) {}

    void take() override {
        auto* const first = static_cast<std::byte*>(buffer_.get());
        const int places = static_cast<int>(numbers_.size());
        for (int place = 0; place < places; ++place)
            group_.at(place).middle->start_download(first + nth(place) * size_, size_,
                                                    numbers_[nth(place)], size_, {size_, 1});
        for (int place = 0; place < places; ++place)
            group_.at(place).middle->finish(group_.host_wait());
        // All devices have fetched the previous minimum. The bit patterns of non-negative
        // floating-point numbers have the same order as the numbers.
        std::uint64_t least = ~std::uint64_t{0};
        for (int place = 0; place < places; ++place) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, first + nth(place) * size_, size_);
            if (bits < least) least = bits;
        }
        if (group_.ranks()) least = least_of_ranks(least);
        std::byte* const found = first + nth(places) * size_;
        std::memcpy(found, &least, size_);
        for (int place = 0; place < places; ++place)
            group_.at(place).middle->start_upload(numbers_[nth(place)], size_, found, size_,
                                                  {size_, 1});
    }

  private:
    std::uint64_t least_of_ranks(std::uint64_t bits) const {
        if (size_ == sizeof(double))
            return std::bit_cast<std::uint64_t>(of_ranks(std::bit_cast<double>(bits)));
        const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return std::bit_cast<std::uint32_t>(static_cast<float>(of_ranks(number)));
    }
    double of_ranks(double number) const { return -group_.ranks()->largest(-number); }

    Group& group_;
    std::vector<void*> numbers_;
    std::size_t size_;
    PinnedMemory buffer_;  // all numbers, then the minimum
};

// Every device has a slot for each device's number, and takes the minimum of the slots. Two sets of
// slots are used in turn: a device that sends again has received all numbers of the previous round,
// and so all others are done with the round before that.
class CopiedMinimum final : public GroupMinimum {
  public:
    CopiedMinimum(Group& group, std::vector<void*> numbers, std::size_t size)
        : group_(group), numbers_(std::move(numbers)), size_(size) {
        for (int place = 0; place < static_cast<int>(numbers_.size()); ++place) {
            Queue& queue = *group_.at(place).middle;
            slots_.emplace_back(queue, 2 * numbers_.size() * size_);
            sent_.push_back(queue.make_event());
        }
    }

    // One execution of the minimum kernel loads everything that it needs, as is necessary before it
    // is recorded.
    void begin() override {
        const std::byte zero[] = {std::byte{0}};
        turn_ = 0;
        for (int place = 0; place < static_cast<int>(numbers_.size()); ++place) {
            group_.at(place).middle->fill(slots_[nth(place)].get(), 2 * numbers_.size() * size_,
                                          zero);
            take_least(place, slot(place, 0));
        }
    }

    void take() override {
        turn_ = 1 - turn_;
        const int places = static_cast<int>(numbers_.size());
        for (int place = 0; place < places; ++place) {
            Queue& queue = *group_.at(place).middle;
            for (int to = 0; to < places; ++to)
                queue.copy({slot(to, place), size_, numbers_[nth(place)], size_, {size_, 1}});
            queue.record(*sent_[nth(place)]);
        }
        for (int place = 0; place < places; ++place) {
            for (int from = 0; from < places; ++from)
                if (from != place) group_.at(place).middle->wait(*sent_[nth(from)]);
            take_least(place, numbers_[nth(place)]);
        }
    }

  private:
    void take_least(int place, void* to) const {
        Queue& queue = *group_.at(place).middle;
        const void* const slots = slot(place, 0);
        if (size_ == sizeof(float))
            queue.algorithms().minimum(static_cast<const float*>(slots), numbers_.size(),
                                       static_cast<float*>(to));
        else
            queue.algorithms().minimum(static_cast<const double*>(slots), numbers_.size(),
                                       static_cast<double*>(to));
    }
    void* slot(int place, int of) const {
        return static_cast<std::byte*>(slots_[nth(place)].get()) +
               (turn_ * numbers_.size() + nth(of)) * size_;
    }

    Group& group_;
    std::vector<void*> numbers_;
    std::size_t size_;
    std::vector<Memory> slots_;
    std::vector<std::unique_ptr<Event>> sent_;  // from each device to all
    std::size_t turn_ = 0;
};

// Kernels do all the work: one on each device sends its number to all others and waits for theirs.
class StoredMinimum final : public GroupMinimum {
  public:
    StoredMinimum(Group& group, const std::vector<void*>& numbers, std::size_t size)
        : group_(group) {
        const auto bytes = numbers.size() * sizeof(std::uint64_t*);
        PlacesNumber number;
        number.words = static_cast<int>(size / sizeof(std::uint32_t));
        number.places = static_cast<int>(numbers.size());
        std::vector<void*> slots;
        for (int place = 0; place < number.places; ++place) {
            Queue& queue = *group.at(place).middle;
            slots.push_back(slots_.emplace_back(queue, number.slot_bytes()).get());
            addresses_.emplace_back(queue, bytes);
            turns_.emplace_back(queue, sizeof(std::uint32_t));
        }
        for (int place = 0; place < number.places; ++place) {
            number.number = numbers[nth(place)];
            number.place = place;
            number.slots = static_cast<std::uint64_t* const*>(addresses_[nth(place)].get());
            number.turn = static_cast<std::uint32_t*>(turns_[nth(place)].get());
            numbers_.push_back(number);
            group.at(place).middle->upload(addresses_[nth(place)].get(), bytes, slots.data(), bytes,
                                           {bytes, 1});
        }
    }

    void begin() override {
        const std::byte zero[] = {std::byte{0}};
        for (const PlacesNumber& number : numbers_) {
            Queue& queue = *group_.at(number.place).middle;
            queue.fill(slots_[nth(number.place)].get(), number.slot_bytes(), zero);
            queue.fill(number.turn, sizeof *number.turn, zero);
        }
    }
    void take() override {
        for (const PlacesNumber& number : numbers_)
            group_.at(number.place).middle->peers().least_of_places(number);
    }

  private:
    Group& group_;
    std::vector<Memory> slots_;      // of each device
    std::vector<Memory> addresses_;  // of all slots, in each device's memory
    std::vector<Memory> turns_;
    std::vector<PlacesNumber> numbers_;
};

}  // namespace

std::unique_ptr<GroupMinimum> make_group_minimum(ExchangePath path, Group& group,
                                                 std::vector<void*> numbers, std::size_t size) {
    switch (path) {
        case ExchangePath::copies:
        case ExchangePath::nccl:
            return std::make_unique<CopiedMinimum>(group, std::move(numbers), size);
        case ExchangePath::stores:
            return std::make_unique<StoredMinimum>(group, numbers, size);
        case ExchangePath::everything:
        case ExchangePath::kernel:
        case ExchangePath::persistent:
        case ExchangePath::staged:
        case ExchangePath::pageable:
        case ExchangePath::mpi:
            break;
    }
    return std::make_unique<HostMinimum>(group, std::move(numbers), size);
}

namespace {

// The numbers travel on queues of their own while the devices continue with the previous minimum
// (Rustico 2012, section 9.2).
class LaggedMinimum final : public GroupMinimum {
  public:
    LaggedMinimum(ExchangePath path, Group& group, std::vector<void*> numbers, std::size_t size)
        : group_(group),
          numbers_(std::move(numbers)),
          size_(size),
          lead_(group.lead().open_beside()),
          aside_(*lead_, group.devices(), group.ranks(), group.host_wait()) {
        std::vector<void*> travelling;
        for (int place = 0; place < places(); ++place) {
            Queue& middle = *group_.at(place).middle;
            held_.emplace_back(middle, size);
            travelling.push_back(travelling_.emplace_back(middle, size).get());
            given_.push_back(middle.make_event());
            found_.push_back(middle.make_event());
        }
        whole_ = make_group_minimum(path, aside_, std::move(travelling), size);
    }
    ~LaggedMinimum() override { aside_.synchronize(); }

    void begin() override {
        aside_.synchronize();
        whole_->begin();
        aside_.synchronize();
        taken_ = 0;
    }

    void take() override {
        // On paths through the host, the host waits for numbers of the previous round.
        if (taken_ > 1) find();
        for (int place = 0; place < places(); ++place) {
            Queue& middle = *group_.at(place).middle;
            if (taken_ > 0) middle.wait(*found_[nth(place)]);
            middle.copy(held_[nth(place)].get(), numbers_[nth(place)], size_);
            if (taken_ > 0) take_found(place);
            middle.record(*given_[nth(place)]);
            Queue& aside = *aside_.at(place).middle;
            aside.wait(*given_[nth(place)]);
            aside.copy(travelling_[nth(place)].get(), held_[nth(place)].get(), size_);
        }
        if (taken_ == 0) {
            find();
            for (int place = 0; place < places(); ++place) {
                group_.at(place).middle->wait(*found_[nth(place)]);
                take_found(place);
            }
        }
        // Only the first two rounds are special, so the count stops at 2.
        if (taken_ < 2) ++taken_;
    }

  private:
    int places() const { return static_cast<int>(numbers_.size()); }

    void find() {
        whole_->take();
        for (int place = 0; place < places(); ++place)
            aside_.at(place).middle->record(*found_[nth(place)]);
    }
    void take_found(int place) {
        group_.at(place).middle->copy(numbers_[nth(place)], travelling_[nth(place)].get(), size_);
    }

    Group& group_;
    std::vector<void*> numbers_;
    std::size_t size_;
    std::unique_ptr<Queue> lead_;
    Group aside_;  // the same devices with other queues
    std::vector<Memory> held_;
    std::vector<Memory> travelling_;
    std::vector<std::unique_ptr<Event>> given_;  // numbers, for the side queues
    std::vector<std::unique_ptr<Event>> found_;  // minima, by the side queues
    std::unique_ptr<GroupMinimum> whole_;
    int taken_ = 0;
};

}  // namespace

std::unique_ptr<GroupMinimum> make_lagged_minimum(ExchangePath path, Group& group,
                                                  std::vector<void*> numbers, std::size_t size) {
    return std::make_unique<LaggedMinimum>(path, group, std::move(numbers), size);
}

}  // namespace camber

namespace camber::results {

GroupRecord recorded(const GroupChoice& group, bool on_device) {
    const auto distinct = std::set<int>(group.devices.begin(), group.devices.end()).size();
    GroupRecord record;
    record.kind = group.ranks                                     ? "ranks"
                  : on_device && distinct == group.devices.size() ? "gpus"
                                                                  : "emulated";
    record.places = group.places();
    if (on_device) record.devices = group.ranks ? group.rank_devices : group.devices;
    record.weights = group.division.weights;
    record.partition = name(group.division.partition);
    record.allocation = name(group.division.allocation);
    record.exchange = name(group.exchange.path);
    record.overlap = group.exchange.overlap;
    record.halo_depth = group.division.halo_depth;
    record.edge_share = group.division.edge_share;
    if (group.exchange.buffers == BorderBuffers::one) record.border_buffers = 1;
    if (group.exchange.host_wait != HostWait::driver)
        record.host_wait = name(group.exchange.host_wait);
    if (group.exchange.minimum == Minimum::lagged) record.minimum = "lagged";
    if (const Balancing& balancing = group.division.balancing; balancing.rule != BalanceRule::none)
        record.balancing = {std::string(name(balancing.rule)), balancing.every, balancing.rows};
    if (const Start& start = group.division.start; start.progressive)
        record.start = {.blocks_per_multiprocessor = start.blocks_per_multiprocessor};
    return record;
}

}  // namespace camber::results
