#include "harness/measure/flow_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "workloads/core/eruption.hpp"

namespace camber {
namespace {

template <class T>
std::int64_t not_finite(const HostField& field) {
    return std::ranges::count_if(field.cells<T>(), [](T value) { return !std::isfinite(value); });
}

std::int64_t differing(const HostField& a, const HostField& b) {
    const auto size = static_cast<std::size_t>(info(a.element()).size);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < a.bytes().size(); i += size)
        count += std::memcmp(a.bytes().data() + i, b.bytes().data() + i, size) != 0;
    return count;
}

std::int64_t covered_cells(const Flow& flow) {
    return std::ranges::count_if(flow.thickness, [](double h) { return h > 0; });
}

}  // namespace

FlowDifference compare(const Flow& expected, const Flow& actual,
                       const std::vector<std::uint8_t>& real) {
    FlowDifference difference;
    difference.cells = compare_flows(expected.thickness, actual.thickness);
    difference.mass_error = relative_difference(actual.mass, actual.supplied);
    difference.mass_difference = relative_difference(actual.mass, expected.mass);
    if (expected.time && actual.time)
        difference.time_difference = relative_difference(*actual.time, *expected.time);
    if (!real.empty()) difference.event_fit = event_fit(real, actual.reached);
    return difference;
}

std::optional<FlowLimits> limits_for(const std::optional<FlowLimits>& given, const Flow& expected,
                                     const Flow& actual) {
    if (!given || covered_cells(expected) < given->least_cells) return std::nullopt;
    FlowLimits limits = *given;
    if (actual.supplied > 0) limits.mass_error += actual.supplied_error / actual.supplied;
    return limits;
}

std::vector<std::string> exceeded(const FlowDifference& difference, const FlowLimits& limits) {
    std::vector<std::string> phrases;
    const auto at_most = [&](const char* what, double value, const std::optional<double>& most) {
        if (most && !(value <= *most))
            phrases.push_back(fmt::format("{} {:.3g} (at most {:.3g})", what, value, *most));
    };
    const FlowStatistics& cells = difference.cells;
    if (limits.jaccard && !(cells.jaccard >= *limits.jaccard))
        phrases.push_back(
            fmt::format("Jaccard index {:.4f} (at least {:.4g})", cells.jaccard, *limits.jaccard));
    at_most("mass error", difference.mass_error, limits.mass_error);
    at_most("difference of thickness", cells.largest_difference, limits.largest_difference);
    at_most("difference of the numbers of covered cells",
            relative_difference(static_cast<double>(cells.covered_cells),
                                static_cast<double>(cells.expected_cells)),
            limits.covered_difference);
    at_most("difference of time", difference.time_difference.value_or(0), limits.time_difference);
    return phrases;
}

std::int64_t broken_cells(const State& expected, const State& actual, const Workload& workload) {
    std::int64_t count = 0;
    for (const HostField& want : expected.fields) {
        const HostField& have = actual.field(want.name());
        if (!workload.writes(want.name()))
            count += differing(want, have);
        else if (want.element() == ElementType::float32)
            count += not_finite<float>(have);
        else if (want.element() == ElementType::float64)
            count += not_finite<double>(have);
        else
            count += differing(want, have);
    }
    return count;
}

std::string describe_failure(const std::vector<std::string>& exceeded) {
    if (exceeded.empty()) return "";
    return fmt::format("; the flow as a whole differs too: {}", fmt::join(exceeded, ", "));
}

FlowJudge::FlowJudge(const Workload& workload, const InitialConditions& initial,
                     const ParameterSet& parameters, const State& expected)
    : workload_(workload), parameters_(parameters), expected_state_(expected) {
    const Eruption* eruption = workload.eruption();
    if (!eruption) return;
    expected_ = eruption->flow(expected, parameters);
    real_ = eruption->real_event(initial);
}

std::optional<Flow> FlowJudge::flow_of(State& state) const {
    if (!expected_) return std::nullopt;
    state.account = expected_state_.account;
    return workload_.eruption()->flow(state, parameters_);
}

std::optional<FinalState> FlowJudge::judge(const State& actual, const Flow& flow,
                                           const Tolerance& tolerance, Verification& found) const {
    found.statistics = compare(*expected_, flow, real_);
    if (found.differing_cells == 0) return std::nullopt;
    found.limits = limits_for(tolerance.flow, *expected_, flow);
    if (!found.limits) return std::nullopt;
    found.method = Verification::Method::statistics;
    found.exceeded = exceeded(*found.statistics, *found.limits);
    if (const std::int64_t broken = broken_cells(expected_state_, actual, workload_); broken > 0)
        found.exceeded.push_back(
            fmt::format("{} cells are no finite numbers or must not change", broken));
    if (!found.exceeded.empty()) return std::nullopt;
    found.status = Verification::Status::passed;
    return workload_.final_state(actual);
}

}  // namespace camber
