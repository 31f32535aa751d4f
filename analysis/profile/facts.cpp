#include "analysis/profile/facts.hpp"

#include <algorithm>
#include <stdexcept>

#include "analysis/profile/figures.hpp"
#include "harness/record/merge.hpp"
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
        // Ratios and rates of several launches cannot be summed.
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

namespace {

// Highest clock reading around the samples: before the first sample the device may still be in a
// low-power state.
std::optional<double> clock_during(const results::CaseRecord& record) {
    if (!record.device_state) return std::nullopt;
    std::optional<double> clock;
    for (const DeviceState* state : {&record.device_state->before, &record.device_state->after})
        if (state->sm_clock_hz)
            clock = std::max(clock.value_or(0), static_cast<double>(*state->sm_clock_hz));
    return clock;
}

}  // namespace

Facts facts_of(const results::Run& run, const results::CaseRecord& record) {
    if (!run.gpu || !record.samples || !record.derived)
        throw std::invalid_argument(record.name + " was not timed on a GPU");
    Facts facts;
    facts.variant = record.identity.variant;
    facts.gpu = *run.gpu;
    facts.sm_clock_hz = clock_during(record);
    if (!facts.sm_clock_hz) facts.sm_clock_hz = run.gpu->sm_clock_hz;
    facts.ceilings = run.ceilings;

    const SampleStatistics& statistics = record.samples->statistics;
    const double seconds = 1e-9 / record.samples->generations_per_sample;
    facts.time = {statistics.median * seconds, statistics.ci95_low * seconds,
                  statistics.ci95_high * seconds, static_cast<std::int64_t>(statistics.n)};
    facts.cells = record.cells();
    // The record stores the rate, not the amount.
    facts.application_bytes =
        record.derived->application_bandwidth_bytes_per_second * facts.time.median;
    facts.generations_per_launch = record.identity.generations_per_launch.value_or(1);
    if (record.identity.group) facts.devices = record.identity.group->devices_at_work();
    if (const results::Kernel* kernel = results::leading_kernel(record)) facts.kernel = *kernel;
    facts.kernel_times = record.kernel_times;
    facts.counters = record.counters;
    facts.kernel_traffic = kernel_traffic(record.kernel_counters);
    return facts;
}

}  // namespace camber::profile
