// What each kernel of a launch asks of memory, measured beside predicted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/record/case_record.hpp"

namespace camber::profile {

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

}  // namespace camber::profile
