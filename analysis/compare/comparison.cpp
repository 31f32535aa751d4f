#include "analysis/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber::comparison {

namespace {

using results::Document;
using results::ModelEntry;

std::string model_name(const ModelEntry& entry) {
    return fmt::format("{}/{}x{}/{}/{}{}",
                       entry.case_name.empty() ? entry.variant : entry.case_name,
                       entry.size.columns, entry.size.rows, entry.cell, name(entry.boundary),
                       entry.rule.empty() ? "" : "/" + entry.rule);
}

PredictedTimeOf predicted_of(const ModelEntry& entry) {
    const double generations = entry.generations_per_launch;
    const results::TimeRecord& time = *entry.time;
    return {time.predicted_seconds / generations, time.low_seconds / generations,
            time.high_seconds / generations, time.binding, !time.doubts.empty()};
}

}  // namespace

std::string PredictedTimes::device() const {
    return base_gpu == changed_gpu ? base_gpu
                                   : fmt::format("{} in BASE and {} in NEW", base_gpu, changed_gpu);
}

PredictedTimes predicted_times(const Document& base, const Document& changed) {
    PredictedTimes times{base.gpu(), changed.gpu(), {}};
    std::map<std::string, PredictedTimeOf> after;
    for (const ModelEntry& entry : changed.models)
        if (entry.time) after[model_name(entry)] = predicted_of(entry);
    for (const ModelEntry& entry : base.models)
        if (entry.time)
            if (const auto found = after.find(model_name(entry));
                found != after.end() && entry.time->predicted_seconds > 0)
                times.pairs.push_back({found->first, predicted_of(entry), found->second});
    std::ranges::stable_sort(times.pairs, std::greater<>(), &PredictedPair::ratio);
    return times;
}

namespace {

using results::CaseRecord;
using results::Document;
using results::Status;

bool verification_failed(const CaseRecord& from) {
    return from.verification && from.verification->status == Verification::Status::failed;
}

Standing standing_of(const Pair& pair) {
    if (verification_failed(*pair.changed)) return Standing::wrong;
    if (pair.base->status != Status::ok) return Standing::unmeasured;
    if (pair.changed->status == Status::failed) return Standing::broken;
    if (pair.changed->status == Status::skipped) return Standing::lost;
    return Standing::compared;
}

std::string reason_of(Standing standing, const Pair& pair) {
    const auto because = [](const char* what, const std::string& reason) {
        return reason.empty() ? std::string(what) : fmt::format("{}: {}", what, reason);
    };
    switch (standing) {
        case Standing::wrong:
            return because("verification failed in NEW", pair.changed->reason);
        case Standing::broken:
            return because("failed in NEW", pair.changed->reason);
        case Standing::lost:
            return because("skipped in NEW", pair.changed->reason);
        case Standing::unmeasured:
            return because("not measured in BASE", pair.base->reason);
        default:
            return "";
    }
}

CaseComparison compare_pair(const Pair& pair, const GateRules& rules, bool same_compiler) {
    CaseComparison result;
    result.name = pair.changed->name;
    result.workload = pair.changed->identity.workload;
    result.standing = standing_of(pair);
    result.reason = reason_of(result.standing, pair);
    if (result.standing != Standing::compared) return result;

    result.quantities = compare_quantities(*pair.base, *pair.changed, same_compiler);
    std::erase_if(result.quantities.changes, [&](const Change& change) {
        return !rules.scope.quantity_families.contains(change.family);
    });
    for (const QuantityFamily family : quantity_families)
        if (!rules.scope.quantity_families.contains(family)) {
            result.quantities.compared.erase(family);
            result.quantities.only_in_base.erase(family);
        }
    for (Change& change : result.quantities.changes)
        if (rules.allowed.contains(name(change.family))) change.effect = Effect::information;
    const auto before = rules.scope.times ? timing_of(*pair.base) : std::nullopt;
    const auto after = rules.scope.times ? timing_of(*pair.changed) : std::nullopt;
    if (before && after) result.time = compare_times(*before, *after, rules.time);
    return result;
}

CaseComparison unmatched(const CaseRecord& one, Standing standing, const char* reason) {
    CaseComparison result;
    result.name = one.name;
    result.workload = one.identity.workload;
    result.standing = standing;
    result.reason = reason;
    return result;
}

// Sort key, worst first: by kind of finding, then by slowdown, else in file order.
auto badness(const CaseComparison& one) {
    const double ratio = one.time ? one.time->time.ratio : 1;
    int kind = 9;
    if (one.standing == Standing::wrong)
        kind = 0;
    else if (one.standing == Standing::broken)
        kind = 1;
    else if (one.count(Effect::regression) > 0)
        kind = 2;
    else if (one.time && one.time->verdict == Verdict::slower)
        kind = 3;
    else if (one.regressed())
        kind = 4;
    else if (one.undecided())
        kind = 5;
    else if (one.improved())
        kind = 6;
    else if (one.standing == Standing::compared)
        kind = 7;
    else if (one.standing == Standing::added)
        kind = 8;
    return std::tuple(kind, -ratio);
}

Counts count(const std::vector<CaseComparison>& cases) {
    Counts counts;
    for (const CaseComparison& one : cases) {
        counts.cases += one.standing == Standing::compared;
        counts.wrong += one.standing == Standing::wrong;
        counts.broken += one.standing == Standing::broken;
        counts.lost += one.standing == Standing::lost;
        counts.missing += one.standing == Standing::missing;
        counts.added += one.standing == Standing::added;
        counts.regressed += one.regressed();
        for (const auto& [family, compared] : one.quantities.compared)
            counts.quantities += compared;
        counts.more += one.count(Effect::regression);
        counts.fewer += one.count(Effect::improvement);
        counts.information += one.count(Effect::information);
        if (!one.time) continue;
        ++counts.timed;
        counts.same += one.time->verdict == Verdict::same;
        counts.faster += one.time->verdict == Verdict::faster;
        counts.slower += one.time->verdict == Verdict::slower;
        counts.undecided += one.time->verdict == Verdict::undecided;
    }
    return counts;
}

}  // namespace

std::string_view name(Standing standing) {
    switch (standing) {
        case Standing::compared:
            return "compared";
        case Standing::wrong:
            return "wrong";
        case Standing::broken:
            return "broken";
        case Standing::lost:
            return "lost";
        case Standing::missing:
            return "missing";
        case Standing::added:
            return "added";
        case Standing::unmeasured:
            break;
    }
    return "unmeasured";
}

std::size_t CaseComparison::count(Effect effect) const {
    return static_cast<std::size_t>(
        std::ranges::count(quantities.changes, effect, &Change::effect));
}

bool CaseComparison::regressed() const {
    return standing == Standing::wrong || standing == Standing::broken ||
           standing == Standing::lost || standing == Standing::missing ||
           count(Effect::regression) > 0 || (time && time->verdict == Verdict::slower);
}

bool CaseComparison::improved() const {
    return !regressed() &&
           (count(Effect::improvement) > 0 || (time && time->verdict == Verdict::faster));
}

ExitCode Comparison::exit_code() const {
    if (counts.wrong > 0) return ExitCode::wrong_result;
    if (counts.regressed > 0 || (fail_on_undecided && counts.undecided > 0))
        return ExitCode::regression;
    return ExitCode::success;
}

std::string Comparison::summary() const {
    std::string text =
        fmt::format("{} case{} compared", counts.cases, counts.cases == 1 ? "" : "s");
    if (counts.quantities > 0)
        text += fmt::format("; {} deterministic quantities: {} worse, {} better", counts.quantities,
                            counts.more, counts.fewer);
    if (counts.timed > 0)
        text += fmt::format("; times: {} SLOWER, {} FASTER, {} SAME, {} UNDECIDED", counts.slower,
                            counts.faster, counts.same, counts.undecided);
    for (const auto& [number, words] : {std::pair(counts.wrong, "failed verification"),
                                        {counts.broken, "failed in NEW"},
                                        {counts.lost, "skipped in NEW only"},
                                        {counts.missing, "missing in NEW"},
                                        {counts.added, "new"}})
        if (number > 0) text += fmt::format("; {} {}", number, words);
    switch (exit_code()) {
        case ExitCode::wrong_result:
            return text + ": WRONG RESULT.";
        case ExitCode::regression:
            return text +
                   (counts.regressed > 0 ? ": REGRESSION." : ": UNDECIDED counts as failure.");
        default:
            return text + ": no regression.";
    }
}

Comparison compare(const Document& base, const Document& changed, const GateRules& rules) {
    Comparison comparison;
    const Matches matches = match(base, changed, rules.allowed);
    comparison.base = base.source;
    comparison.changed = changed.source;
    comparison.threshold = rules.time.threshold;
    comparison.differences = matches.differences;
    comparison.fail_on_undecided = rules.fail_on_undecided;
    comparison.same_compiler = same_compiler(base, changed);
    for (const Document* document : {&base, &changed})
        if (!document->run() && !document->cases.empty() && !document->cases.front().by_camber)
            comparison.with_times_only.push_back(document->source);
    comparison.times_of_simt =
        rules.scope.times && std::ranges::any_of(changed.cases, [](const CaseRecord& one) {
            return one.identity.backend == Backend::simt;
        });
    for (const Pair& pair : matches.pairs)
        comparison.cases.push_back(compare_pair(pair, rules, comparison.same_compiler));
    const bool may_miss = rules.allowed.contains("missing");
    for (const CaseRecord* one : matches.only_in_base)
        comparison.cases.push_back(
            unmatched(*one, may_miss ? Standing::unmeasured : Standing::missing, "in BASE only"));
    for (const CaseRecord* one : matches.only_in_new)
        comparison.cases.push_back(
            verification_failed(*one)
                ? unmatched(*one, Standing::wrong, "verification failed in NEW; not in BASE")
                : unmatched(*one, Standing::added, "in NEW only"));
    std::ranges::stable_sort(comparison.cases, {}, badness);
    if (rules.scope.quantity_families.contains(QuantityFamily::model))
        comparison.predicted = predicted_times(base, changed);
    comparison.counts = count(comparison.cases);
    comparison.counts.pairs = matches.pairs.size();
    return comparison;
}

namespace {

// Shorter counted launches include so much host time that their elapsed cycles are meaningless: for
// launches of 50 us, two runs differed by half.
constexpr double shortest_counted_ns = 1e6;

// Mean SM clock of the readings during the samples, else of those around them.
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

}  // namespace camber::comparison
