// Facts about one measured case that a diagnosis uses: times, counters and machine code, and the
// memory traffic of each kernel, measured and predicted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"

namespace camber::profile {

// Memory traffic of all launches of one kernel name within one launch of the variant.
struct KernelTraffic {
    std::string name;
    int launches = 0;
    std::optional<double> seconds;  // sum of the counter gpu__time_duration over all launches
    std::optional<double> share;    // of the seconds of all kernels
    std::optional<double> dram_bytes;
    std::map<std::string, double> counters;      // sums over the launches, for metrics that end in
                                                 // .sum
    std::vector<CounterComparison> comparisons;  // of the sums; empty if not all launches were
                                                 // predicted
    bool estimate = false;  // predicted from a sample of the blocks, so that a deviation is no
                            // error
};

// The kernels of a case's kernel_counters, in order of first launch.
std::vector<KernelTraffic> kernel_traffic(const std::vector<results::KernelCounters>& kernels);

// Time per generation, in seconds.
struct Time {
    double median = 0;
    double low = 0;  // 95 % interval of the median
    double high = 0;
    std::int64_t samples = 0;
};

struct Facts {
    std::string variant;
    results::Gpu gpu;
    std::optional<double> sm_clock_hz;  // during the case if recorded, else the maximum
    Ceilings ceilings;                  // measured in the same run
    Time time;
    double cells = 0;              // computed by one generation
    double application_bytes = 0;  // minimum bytes per generation: each cell read and written once
    int generations_per_launch = 1;
    int devices = 1;  // that compute the case together; amounts are sums over them
    std::optional<results::Kernel> kernel;  // the first launched kernel
    std::optional<results::KernelTimes> kernel_times;
    // Counters of one launch (generations_per_launch generations), by GH100's metric names. Empty
    // if counters were not read.
    std::map<std::string, double> counters;
    // The same launch by kernel; empty if it has only one kernel or kernels were not counted
    // separately.
    std::vector<KernelTraffic> kernel_traffic;

    double seconds_per_launch() const { return time.median * generations_per_launch; }
};

// Facts of a case that was timed on the GPU of `run`. Throws std::invalid_argument for other cases.
Facts facts_of(const results::Run& run, const results::CaseRecord& record);

}  // namespace camber::profile
