// Each kernel's own time, as the device stamps it: without the gaps between launches, which times
// around a batch of launches contain.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace camber::counters {

struct KernelTime {
    std::string symbol;  // of the kernel's function, as KernelFacts has it
    double ns = 0;       // from its start to its end on the device
};

class KernelClock {
  public:
    virtual ~KernelClock() = default;
    // The kernels of `work`, which must return when they have ended, in order of their start. None
    // where it only copies, or where another profiler holds the records. Throws Error(unavailable).
    virtual std::vector<KernelTime> time(const std::function<void()>& work) = 0;
    // The same of work that replays graphs.
    virtual std::vector<KernelTime> time_graphs(const std::function<void()>& work) {
        return time(work);
    }
};

// CUPTI's activity records. Throws Error(unavailable) with the cause where they cannot be had.
std::unique_ptr<KernelClock> open_kernel_clock();

}  // namespace camber::counters
