#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "analysis/compare/comparison.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::compare {

namespace {

// Launches that are counted in less than this include so much time of the host that their elapsed
// cycles say nothing: two runs differed by half for launches of 50 us.
constexpr double shortest_counted_ns = 1e6;

// Mean SM clock over the readings during the samples, or else around them.
std::optional<double> sm_clock(const results::CaseRecord& from) {
    if (!from.device_state) return std::nullopt;
    double sum = 0;
    int readings = 0;
    const auto add = [&](const DeviceState& state) {
        if (state.sm_clock_hz.value_or(0) <= 0) return;
        sum += static_cast<double>(*state.sm_clock_hz);
        ++readings;
    };
    for (const DeviceState& state : from.device_state->during) add(state);
    if (readings == 0) {
        add(from.device_state->before);
        add(from.device_state->after);
    }
    if (readings == 0) return std::nullopt;
    return sum / readings;
}

std::optional<double> counted_cycles(const results::CaseRecord& from) {
    const auto duration = from.counters.find(metric::duration);
    const auto cycles = from.counters.find(metric::sm_cycles);
    if (duration == from.counters.end() || duration->second < shortest_counted_ns ||
        cycles == from.counters.end() || cycles->second <= 0)
        return std::nullopt;
    return cycles->second;
}

}  // namespace

std::optional<Timing> timing_of(const results::CaseRecord& from) {
    if (from.identity.backend == Backend::simt) return std::nullopt;
    std::vector<std::vector<double>> processes;
    for (results::ProcessTimes& times : times_by_process(from))
        if (!times.samples_ns.empty()) processes.push_back(std::move(times.samples_ns));
    if (processes.empty()) return std::nullopt;
    try {
        return Timing{series_of(std::move(processes)), sm_clock(from), counted_cycles(from)};
    } catch (const std::invalid_argument& error) {
        throw Error(ExitCode::usage,
                    fmt::format("{}: {}; measure it again", from.name, error.what()));
    }
}

}  // namespace camber::compare
