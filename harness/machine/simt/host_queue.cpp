#include "harness/machine/simt/host_queue.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "harness/base/kernel_launch.hpp"
#include "harness/machine/queue/host_memory.hpp"
#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

namespace {

class HostRecording final : public Recording {
  public:
    HostRecording(const Queue& queue, std::vector<std::function<void()>> work)
        : queue_(queue), work_(std::move(work)) {}
    void replay() override {
        const SpanTimer span = queue_.timed_on_host(SpanKind::graph, "replay");
        for (const auto& piece : work_) piece();
    }

  private:
    const Queue& queue_;
    std::vector<std::function<void()>> work_;
};

}  // namespace

DeviceLimits HostQueue::limits() const {
    DeviceLimits limits = HostMemoryQueue::limits();
    limits.threads_per_block = block_threads_limit;
    limits.shared_bytes_per_block = block_shared_limit;
    return limits;
}

std::unique_ptr<Recording> HostQueue::record(const std::function<void()>& enqueue) {
    return std::make_unique<HostRecording>(*this, collect(enqueue));
}

std::vector<KernelFacts> HostQueue::take_kernel_facts() {
    return std::exchange(facts_, {});
}

// CUB runs these (CUDA Core Compute Libraries 3.0, DeviceReduce and DeviceSelect) as two kernels:
// one over tiles of the input, and a small one.
void HostQueue::minimum(const float* values, std::size_t count, float* least) {
    executor_.tell({"minimum", static_cast<std::int64_t>(count * sizeof(float)), 0, 2});
    HostMemoryQueue::minimum(values, count, least);
}

void HostQueue::minimum(const double* values, std::size_t count, double* least) {
    executor_.tell({"minimum", static_cast<std::int64_t>(count * sizeof(double)), 0, 2});
    HostMemoryQueue::minimum(values, count, least);
}

void HostQueue::select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                       std::int32_t* selected) {
    executor_.tell({"select", static_cast<std::int64_t>(count),
                    static_cast<std::int64_t>(count * sizeof(std::int32_t)), 2});
    HostMemoryQueue::select(flags, count, indices, selected);
}

void HostQueue::launch(const char* kernel_name, const LaunchShape& shape,
                       std::function<void()> thread) {
    std::vector<KernelFacts>& known_facts = main_.facts_;
    const bool known = std::any_of(known_facts.begin(), known_facts.end(),
                                   [&](const auto& facts) { return facts.name == kernel_name; });
    if (!known) {
        KernelFacts facts;
        facts.name = kernel_name;
        std::copy_n(&shape.block.x, 3, facts.block);
        std::copy_n(&shape.grid.x, 3, facts.grid);
        facts.dynamic_shared = shape.dynamic_shared;
        known_facts.push_back(std::move(facts));
    }
    const std::string name = label().empty() ? kernel_name : label() + " (" + kernel_name + ")";
    const Launch launch{name,
                        {shape.grid.x, shape.grid.y, shape.grid.z},
                        {shape.block.x, shape.block.y, shape.block.z},
                        shape.dynamic_shared,
                        shape.cooperative,
                        {shape.cluster.x, shape.cluster.y, shape.cluster.z}};
    // A recording could not assign accesses to two launches that take turns.
    if (shape.cooperative && !executor_.is_recording())
        return launch_in_parts(kernel_name, launch, std::move(thread));
    perform([this, kernel = std::string(kernel_name), launch, thread = std::move(thread)] {
        const SpanTimer span = timed(SpanKind::kernel, kernel);
        executor_.run(launch, thread);
    });
}

void HostQueue::launch_in_parts(const char* kernel_name, const Launch& launch,
                                std::function<void()> thread) {
    perform_in_parts(
        [this, kernel = std::string(kernel_name), launch, thread = std::move(thread)]() -> Parts {
            // The launch's threads have their stacks from the first part on.
            const auto run = std::make_shared<std::unique_ptr<CooperativeRun>>();
            return {[this, kernel, launch, thread, run] {
                        const SpanTimer span = timed(SpanKind::kernel, kernel);
                        if (!*run) *run = executor_.begin(launch, thread);
                        return !*run || (*run)->advance();
                    },
                    [run] { return !*run || (*run)->may_advance(); }};
        });
}

namespace {

// Access to HostMemoryQueue::perform().
class OpenQueue : public HostMemoryQueue {
  public:
    static void add(HostMemoryQueue& queue, Work work) {
        (queue.*&OpenQueue::perform)(std::move(work));
    }
};

// Radix sort: one pass counts the keys of every digit, one adds up the counts, and a pass for each
// digit reads and writes all pairs (Adinets and Merrill 2022, "Onesweep: A Faster Least Significant
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
    // Observers are notified of the scratch memory by the fill, and of the results by the copies.
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
