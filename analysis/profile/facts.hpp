// What is known of one measured case, as far as a diagnosis of it needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/kernel_traffic.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"

namespace camber::profile {

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
