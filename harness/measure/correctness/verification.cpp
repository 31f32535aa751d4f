#include "harness/measure/correctness/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "analysis/flow_statistics.hpp"
#include "workloads/core/optional_interfaces.hpp"

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
    const Eruption* eruption = workload.capabilities().eruption;
    if (!eruption) return;
    expected_ = eruption->flow(expected, parameters);
    real_ = eruption->real_event(initial);
}

std::optional<Flow> FlowJudge::flow_of(State& state) const {
    if (!expected_) return std::nullopt;
    state.account = expected_state_.account;
    return workload_.capabilities().eruption->flow(state, parameters_);
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

std::optional<FinalState> judge_figures(const Workload& workload, const State& expected,
                                        State& actual, const std::map<std::string, double>& limits,
                                        Verification& found) {
    found.method = Verification::Method::statistics;
    if (const std::int64_t broken = broken_cells(expected, actual, workload); broken > 0) {
        found.exceeded.push_back(
            fmt::format("{} cells are no finite numbers or must not change", broken));
        return std::nullopt;
    }
    actual.account = expected.account;
    const FinalState wanted = workload.final_state(expected);
    FinalState own = workload.final_state(actual);
    for (const auto& [figure, limit] : limits) {
        const double difference =
            relative_difference(own.account.at(figure), wanted.account.at(figure));
        if (!(difference <= limit))
            found.exceeded.push_back(
                fmt::format("{} by {:.3g} (at most {:.3g})", figure, difference, limit));
    }
    if (!found.exceeded.empty()) return std::nullopt;
    found.status = Verification::Status::passed;
    return own;
}

namespace {

template <class T>
CellValue value_at(const HostField& field, std::int64_t index) {
    const T value = field.cells<T>()[static_cast<std::size_t>(index)];
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::int64_t>(value);
    else
        return static_cast<double>(value);
}

CellValue cell_value(const HostField& field, std::int64_t index) {
    switch (field.element()) {
        case ElementType::uint8:
        case ElementType::bits:
            return value_at<std::uint8_t>(field, index);
        case ElementType::uint32:
            return value_at<std::uint32_t>(field, index);
        case ElementType::int32:
            return value_at<std::int32_t>(field, index);
        case ElementType::float32:
            return value_at<float>(field, index);
        case ElementType::float64:
            return value_at<double>(field, index);
    }
    throw std::logic_error("a field of unknown element type");
}

std::string text(const CellValue& value) {
    return std::visit([](auto v) { return fmt::format("{}", v); }, value);
}

Verification started(const Tolerance& tolerance, int generations) {
    Verification result;
    result.method = Verification::Method::cells;
    result.tolerance = tolerance.absolute;
    result.tolerance_of = tolerance.absolute_of;
    result.relative_tolerance = tolerance.relative;
    result.total_tolerance = tolerance.total;
    result.largest_difference = 0;
    if (tolerance.outliers > 0) {
        result.tolerated_outliers = tolerance.outliers;
        result.outlying_cells = 0;
    }
    result.generations = generations;
    return result;
}

CellLimits limits_of(const Tolerance& allowed) {
    return {allowed.exact(), allowed.absolute, allowed.relative};
}

// Records the differences of one field, judged by the tolerance `allowed`. Returns the first cell
// that exceeds it, or -1.
std::int64_t enter(Verification& result, const Tolerance& allowed, std::int64_t cells,
                   FieldDifference found) {
    if (found.invalid == 0 && static_cast<double>(found.differing) <=
                                  allowed.outliers * static_cast<double>(found.not_zero)) {
        result.outlying_cells = result.outlying_cells.value_or(0) + found.differing;
        found.differing = 0;
        found.first = -1;
    }
    if (allowed.total > 0 && !(std::abs(found.actual_sum - found.expected_sum) <=
                               allowed.total * std::abs(found.expected_sum))) {
        found.differing = cells;
        found.first = 0;
    }
    result.largest_difference = std::max(*result.largest_difference, found.largest);
    result.compared_cells += cells;
    result.differing_cells += found.differing;
    return found.first;
}

void conclude(Verification& result) {
    result.status = result.compared_cells > 0 && result.differing_cells == 0
                        ? Verification::Status::passed
                        : Verification::Status::failed;
}

}  // namespace

Verification compare(const State& expected, const State& actual, const Tolerance& tolerance,
                     int generations, int threads) {
    Verification result = started(tolerance, generations);
    for (const HostField& want : expected.fields) {
        const Tolerance allowed = tolerance.of(want.name());
        const HostField& have = actual.field(want.name());
        if (have.size() != want.size() || have.element() != want.element())
            throw std::logic_error("field " + want.name() + " differs in shape from its reference");
        const std::size_t pitch =
            static_cast<std::size_t>(want.size().columns) * info(want.element()).size;
        const std::int64_t first =
            enter(result, allowed, want.size().cells(),
                  difference_of(have.bytes().data(), pitch, want.bytes().data(), want.element(),
                                want.size(), limits_of(allowed), threads));
        if (first >= 0 && !result.first_difference)
            result.first_difference =
                DifferingCell{want.name(), first / want.size().columns, first % want.size().columns,
                              cell_value(want, first), cell_value(have, first)};
    }
    conclude(result);
    return result;
}

std::optional<Verification> passed_in_place(const State& expected, const Execution& execution,
                                            Queue& queue, const Tolerance& tolerance,
                                            int generations) {
    Verification result = started(tolerance, generations);
    for (const HostField& want : expected.fields) {
        Tolerance allowed = tolerance.of(want.name());
        const auto view = execution.view(want.name());
        if (!view) return std::nullopt;
        const auto found = queue.host_buffers().compare(*view, want.bytes(), want.element(),
                                                        want.size(), limits_of(allowed));
        if (!found) return std::nullopt;
        // A device sums in another order, so a total close to its limit is left to the host.
        allowed.total *= 1 - 1e-6;
        if (enter(result, allowed, want.size().cells(), *found) >= 0) return std::nullopt;
    }
    conclude(result);
    return result.passed() ? std::optional(result) : std::nullopt;
}

std::string describe(const Verification& verification) {
    const bool by_cells = verification.passed() && verification.differing_cells == 0;
    if (by_cells && verification.outlying_cells.value_or(0) > 0)
        return fmt::format(
            "all {} cells but {} are within tolerance of the reference, which allows outliers",
            verification.compared_cells, *verification.outlying_cells);
    if (by_cells)
        return fmt::format("all {} cells {} the reference", verification.compared_cells,
                           verification.exact() ? "equal" : "are within tolerance of");
    if (verification.passed())
        return fmt::format("{} of {} cells differ from the reference, the flow as a whole does not",
                           verification.differing_cells, verification.compared_cells);
    if (!verification.first_difference) return "no cell was compared";
    const DifferingCell& first = *verification.first_difference;
    const std::string actual = text(first.actual);
    return fmt::format(
        "{} of {} cells differ from the reference after {} {}; the first is row {}, column {} of "
        "`{}`: expected {}, {}{}{}",
        verification.differing_cells, verification.compared_cells, verification.generations,
        verification.generations == 1 ? "generation" : "generations", first.row, first.column,
        first.field, text(first.expected),
        actual == never_written ? "but the kernel never wrote this cell" : "got " + actual,
        verification.unwritten.empty() ? "" : "; " + verification.unwritten,
        describe_failure(verification.exceeded));
}

}  // namespace camber
