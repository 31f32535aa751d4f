#include "analysis/profile/kernel_traffic.hpp"

#include <algorithm>

#include "analysis/profile/facts.hpp"
#include "analysis/profile/figures.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::profile {

namespace {

void add(std::map<std::string, double>& sums, const std::map<std::string, double>& values) {
    for (const auto& [name, value] : values) sums[name] += value;
}

struct Launches {
    std::string name;
    int launches = 0;
    int predicted = 0;
    bool sampled = false;
    std::map<std::string, double> counters;
    std::map<std::string, double> model;
};

}  // namespace

std::vector<KernelTraffic> kernel_traffic(const std::vector<results::KernelCounters>& kernels) {
    std::vector<Launches> by_name;
    for (const results::KernelCounters& kernel : kernels) {
        auto same = std::ranges::find(by_name, kernel.name, &Launches::name);
        if (same == by_name.end()) same = by_name.insert(same, {kernel.name, 0, 0, false, {}, {}});
        ++same->launches;
        add(same->counters, kernel.counters);
        if (!kernel.model) continue;
        ++same->predicted;
        same->sampled |= kernel.model->sampled();
        add(same->model, kernel.model->quantities);
    }
    std::vector<KernelTraffic> traffic;
    double all_seconds = 0;
    for (Launches& one : by_name) {
        // Shares and rates of several launches do not add up.
        std::erase_if(one.counters,
                      [](const auto& metric) { return !metric.first.ends_with(".sum"); });
        KernelTraffic kernel;
        kernel.name = one.name;
        kernel.launches = one.launches;
        kernel.estimate = one.sampled;
        if (const auto time = one.counters.find(metric::duration); time != one.counters.end()) {
            kernel.seconds = 1e-9 * time->second;
            all_seconds += *kernel.seconds;
        }
        Facts facts;
        facts.counters = one.counters;
        kernel.dram_bytes = amounts(facts).dram_bytes();
        if (one.predicted == one.launches)
            kernel.comparisons = compare_with_counters(one.model, one.counters);
        kernel.counters = std::move(one.counters);
        traffic.push_back(std::move(kernel));
    }
    for (KernelTraffic& kernel : traffic)
        if (kernel.seconds && all_seconds > 0) kernel.share = *kernel.seconds / all_seconds;
    return traffic;
}

}  // namespace camber::profile
