// Times of all kernels of the program, from CUPTI's records.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "harness/capture/cupti_records.hpp"
#include "harness/capture/job.hpp"

namespace camber::capture {

class KernelList {
  public:
    void add(const CuptiKernelRecord& record);
    std::vector<KernelTimes> kernels() const;

  private:
    using Shape = std::tuple<Dimensions, Dimensions, std::uint64_t>;
    struct Kernel {
        std::map<Shape, ShapeTimes> shapes;
        std::vector<float> durations;  // ns, of the first launches
        std::uint64_t launches = 0;
        double total_ns = 0;
    };
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Kernel> kernels_;
};

// Median of at least one value.
double median_of(std::vector<float> values);

}  // namespace camber::capture
