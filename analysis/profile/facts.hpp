// Facts about one measured case on which a diagnosis is based: times, counters and machine code,
// with the memory traffic of each kernel, measured and predicted.
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

// What each kernel of a launch asks of memory, measured beside predicted.

// All launches of one name within a launch of the variant.
struct KernelTraffic {
    std::string name;
    int launches = 0;
    std::optional<double> seconds;  // by the counter gpu__time_duration, all launches
    std::optional<double> share;    // of the seconds of all kernels
    std::optional<double> dram_bytes;
    std::map<std::string, double> counters;      // of each metric that ends in .sum, their sum
    std::vector<CounterComparison> comparisons;  // of the sums; empty where not all were predicted
    bool estimate = false;  // predicted from a sample of the blocks, and so need not agree
};

// The kernels of a case's kernel_counters, in order of first launch.
std::vector<KernelTraffic> kernel_traffic(const std::vector<results::KernelCounters>& kernels);

// What is known of one measured case, as far as a diagnosis of it needs.

// Seconds per generation.
struct Time {
    double median = 0;
    double low = 0;  // 95 % interval of the median
    double high = 0;
    std::int64_t samples = 0;
};

struct Facts {
    std::string variant;
    results::Gpu gpu;
    std::optional<double> sm_clock_hz;  // while the case ran, else the highest
    Ceilings ceilings;                  // measured in the same run
    Time time;
    double cells = 0;              // computed by one generation
    double application_bytes = 0;  // that one generation must move: each cell read and written once
    int generations_per_launch = 1;
    std::optional<results::Kernel> kernel;  // the first that was launched
    std::optional<results::KernelTimes> kernel_times;
    // Counts of one launch, which is generations_per_launch generations, by the metric's name as
    // GH100 has it. Empty where counters were not read.
    std::map<std::string, double> counters;
    // The same launch kernel by kernel; empty where it has one kernel or kernels were not counted.
    std::vector<KernelTraffic> kernel_traffic;

    double seconds_per_launch() const { return time.median * generations_per_launch; }
};

// The facts of a case that was timed on the GPU of `run`. Throws std::invalid_argument for another.
Facts facts_of(const results::Run& run, const results::CaseRecord& record);

}  // namespace camber::profile
