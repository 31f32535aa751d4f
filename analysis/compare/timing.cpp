#include <fmt/format.h>

#include <stdexcept>

#include "analysis/compare/comparison.hpp"

namespace camber::compare {

namespace {

using Json = nlohmann::ordered_json;

// Launches that are counted in less than this include so much time of the host that their elapsed
// cycles say nothing: two runs differed by half for launches of 50 us.
constexpr double shortest_counted_ns = 1e6;

// Mean SM clock over the readings during the samples, or else around them.
std::optional<double> sm_clock(const results::Case& from) {
    const auto states =
        from.camber.is_object() ? from.camber.find("device_state") : from.camber.end();
    if (!from.camber.is_object() || states == from.camber.end()) return std::nullopt;
    double sum = 0;
    int readings = 0;
    const auto add = [&](const Json& state) {
        if (!state.is_object() || !state.contains("sm_clock_hz")) return;
        const Json& clock = state.at("sm_clock_hz");
        if (!clock.is_number() || clock.get<double>() <= 0) return;
        sum += clock.get<double>();
        ++readings;
    };
    if (states->contains("during"))
        for (const Json& state : states->at("during")) add(state);
    if (readings == 0)
        for (const char* when : {"before", "after"})
            if (states->contains(when)) add(states->at(when));
    if (readings == 0) return std::nullopt;
    return sum / readings;
}

std::optional<double> counted_cycles(const results::Case& from) {
    const auto counters = from.numbers("/counters");
    const auto duration = counters.find("gpu__time_duration.sum");
    const auto cycles = counters.find("sm__cycles_elapsed.max");
    if (duration == counters.end() || duration->second < shortest_counted_ns ||
        cycles == counters.end() || cycles->second <= 0)
        return std::nullopt;
    return cycles->second;
}

}  // namespace

std::optional<Timing> timing_of(const results::Case& from) {
    if (from.text("backend") == "simt") return std::nullopt;
    std::vector<std::vector<double>> processes;
    for (const results::ProcessTimes& times : from.times)
        if (!times.samples_ns.empty()) processes.push_back(times.samples_ns);
    if (processes.empty()) return std::nullopt;
    try {
        return Timing{series_of(std::move(processes)), sm_clock(from), counted_cycles(from)};
    } catch (const std::invalid_argument& error) {
        throw Error(ExitCode::usage,
                    fmt::format("{}: {}; measure it again", from.name, error.what()));
    }
}

}  // namespace camber::compare
