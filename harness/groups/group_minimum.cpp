#include "harness/groups/group_minimum.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace camber {

namespace {

std::size_t nth(int place) {
    return static_cast<std::size_t>(place);
}

// The host waits for all numbers, and gives the least to all.
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
        // All have fetched the one before. The bits of numbers that are not negative are ordered as
        // they are.
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
    PinnedMemory buffer_;  // of all numbers, then the least
};

// Every place has a slot for each place's number, and takes the least of them. Two sets of slots
// are used in turn: whoever sends again has all numbers of the time before, and so all others have
// done with those before that.
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

    // What takes the least once has all that it needs, as it must when it is recorded.
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
            queue.minimum(static_cast<const float*>(slots), numbers_.size(),
                          static_cast<float*>(to));
        else
            queue.minimum(static_cast<const double*>(slots), numbers_.size(),
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
    std::vector<std::unique_ptr<Event>> sent_;  // from each place to all
    std::size_t turn_ = 0;
};

// Kernels do all of it: one of each place sends its number to all and waits for theirs.
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
            group_.at(number.place).middle->least_of_places(number);
    }

  private:
    Group& group_;
    std::vector<Memory> slots_;      // of each place
    std::vector<Memory> addresses_;  // of all slots, in the memory of each
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

}  // namespace camber
