#include "analysis/profile/facts.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/record/merge.hpp"

namespace camber::profile {

namespace {

// The highest clock seen around the samples: just before them the device may still have slept.
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
    // The record holds the rate.
    facts.application_bytes =
        record.derived->application_bandwidth_bytes_per_second * facts.time.median;
    facts.generations_per_launch = record.identity.generations_per_launch.value_or(1);
    if (const results::Kernel* kernel = results::leading_kernel(record)) facts.kernel = *kernel;
    facts.kernel_times = record.kernel_times;
    facts.counters = record.counters;
    facts.kernel_traffic = kernel_traffic(record.kernel_counters);
    return facts;
}

}  // namespace camber::profile
