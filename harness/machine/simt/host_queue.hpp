// Queue of the `simt` backend: host memory, kernels on the SIMT executor, and a radix sort in place
// of CUB's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/queue/host_memory.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/machine/simt/executor.hpp"

namespace camber {

// Queue of the `simt` backend: host memory, kernels on the SIMT executor.
struct LaunchShape;

namespace simt {

class HostQueue final : public HostMemoryQueue {
  public:
    explicit HostQueue(int cpu_threads = 0)
        : HostMemoryQueue(nullptr, Backend::simt),
          own_executor_(std::make_unique<Executor>(cpu_threads)),
          executor_(*own_executor_) {}
    // A queue beside `main`, whose executor it shares.
    explicit HostQueue(HostQueue* main)
        : HostMemoryQueue(main, Backend::simt), main_(main->main_), executor_(main->executor_) {}

    DeviceLimits limits() const override;
    std::unique_ptr<Queue> open_beside() override { return std::make_unique<HostQueue>(this); }
    using HostMemoryQueue::record;
    std::unique_ptr<Recording> record(const std::function<void()>& enqueue) override;
    std::vector<KernelFacts> take_kernel_facts() override;

    // `thread`: function of every thread; stored if the launch is recorded.
    void launch(const char* kernel_name, const LaunchShape& shape, std::function<void()> thread);
    Executor& executor() const { return executor_; }

  private:
    void minimum(const float* values, std::size_t count, float* least) override;
    void minimum(const double* values, std::size_t count, double* least) override;
    void select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                std::int32_t* selected) override;
    void launch_in_parts(const char* kernel_name, const Launch& launch,
                         std::function<void()> thread);

    HostQueue& main_ = *this;  // stores the facts
    std::unique_ptr<Executor> own_executor_;
    Executor& executor_;
    std::vector<KernelFacts> facts_;
};

}  // namespace simt
}  // namespace camber

namespace camber::simt {

// Sort on the executor's queue, which has no library for it

// Enqueues PairSorter's sort on `queue`, a host queue. `scratch`: queue memory for a key and a
// value of each pair.
void sort(Queue& queue, void* scratch, const std::uint32_t* keys, std::uint32_t* sorted_keys,
          const std::int32_t* values, std::int32_t* sorted_values, std::size_t count, int bits);

}  // namespace camber::simt
