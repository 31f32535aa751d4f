#include "harness/machine/simt/host_sort.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "harness/machine/queue/host_memory.hpp"
#include "harness/machine/simt/host_queue.hpp"

namespace camber::simt {

namespace {

// The queue as what adds work to it.
class OpenQueue : public HostMemoryQueue {
  public:
    static void add(HostMemoryQueue& queue, Work work) {
        (queue.*&OpenQueue::perform)(std::move(work));
    }
};

// A pass for each digit reads and writes all pairs, after one that counts the keys of every digit,
// and one that adds up the counts (Adinets and Merrill 2022, "Onesweep: A Faster Least Significant
// Digit Radix Sort for GPUs"; CUB's digits have 8 bits).
LibraryCall radix_sort(std::size_t count, int bits) {
    const auto pairs = static_cast<std::int64_t>(count);
    const std::int64_t pair = sizeof(std::uint32_t) + sizeof(std::int32_t);
    const int passes = (bits + 7) / 8;
    return {"sort",
            pairs * static_cast<std::int64_t>(sizeof(std::uint32_t)) + passes * pairs * pair,
            passes * pairs * pair, 2 + passes};
}

}  // namespace

void sort(Queue& queue, void* scratch, const std::uint32_t* keys, std::uint32_t* sorted_keys,
          const std::int32_t* values, std::int32_t* sorted_values, std::size_t count, int bits) {
    if (const auto* const own = dynamic_cast<HostQueue*>(&queue))
        own->executor().tell(radix_sort(count, bits));
    auto* const own_keys = static_cast<std::uint32_t*>(scratch);
    auto* const own_values = reinterpret_cast<std::int32_t*>(own_keys + count);
    // Observers learn of the scratch memory by the fill, and of the results by the copies.
    constexpr std::uint32_t zero = 0;
    queue.fill(own_keys, 2 * count, std::as_bytes(std::span(&zero, 1)));
    OpenQueue::add(static_cast<HostMemoryQueue&>(queue), [=] {
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });
        for (std::size_t i = 0; i < count; ++i) {
            own_keys[i] = keys[order[i]];
            own_values[i] = values[order[i]];
        }
    });
    queue.copy(sorted_keys, own_keys, count * sizeof(std::uint32_t));
    queue.copy(sorted_values, own_values, count * sizeof(std::int32_t));
}

}  // namespace camber::simt
