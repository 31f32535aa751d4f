#include "analysis/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace camber::compare {

namespace {

using results::Case;
using results::ResultSet;
using results::Status;

bool verification_failed(const Case& from) {
    const auto verification =
        from.camber.is_object() ? from.camber.find("verification") : from.camber.end();
    return from.camber.is_object() && verification != from.camber.end() &&
           verification->value("status", "") == "failed";
}

State state_of(const Pair& pair) {
    if (verification_failed(*pair.changed)) return State::wrong;
    if (pair.base->status != Status::ok) return State::unmeasured;
    if (pair.changed->status == Status::failed) return State::broken;
    if (pair.changed->status == Status::skipped) return State::lost;
    return State::compared;
}

std::string reason_of(State state, const Pair& pair) {
    const auto because = [](const char* what, const std::string& reason) {
        return reason.empty() ? std::string(what) : fmt::format("{}: {}", what, reason);
    };
    switch (state) {
        case State::wrong:
            return because("verification failed in NEW", pair.changed->reason);
        case State::broken:
            return because("failed in NEW", pair.changed->reason);
        case State::lost:
            return because("skipped in NEW", pair.changed->reason);
        case State::unmeasured:
            return because("not measured in BASE", pair.base->reason);
        default:
            return "";
    }
}

CaseComparison compare_pair(const Pair& pair, const Rules& rules, bool same_compiler) {
    CaseComparison result;
    result.name = pair.changed->name;
    result.workload = pair.changed->text("workload");
    result.state = state_of(pair);
    result.reason = reason_of(result.state, pair);
    if (result.state != State::compared) return result;

    result.quantities = compare_quantities(*pair.base, *pair.changed, same_compiler);
    std::erase_if(result.quantities.changes, [&](const Change& change) {
        return !rules.scope.families.contains(change.family);
    });
    for (const Family family : families)
        if (!rules.scope.families.contains(family)) {
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

CaseComparison unmatched(const Case& one, State state, const char* reason) {
    CaseComparison result;
    result.name = one.name;
    result.workload = one.text("workload");
    result.state = state;
    result.reason = reason;
    return result;
}

// The worst first: by kind of finding, then by how much slower; else the order of the files.
auto badness(const CaseComparison& one) {
    const double ratio = one.time ? one.time->time.ratio : 1;
    int kind = 9;
    if (one.state == State::wrong)
        kind = 0;
    else if (one.state == State::broken)
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
    else if (one.state == State::compared)
        kind = 7;
    else if (one.state == State::added)
        kind = 8;
    return std::tuple(kind, -ratio);
}

Counts count(const std::vector<CaseComparison>& cases) {
    Counts counts;
    for (const CaseComparison& one : cases) {
        counts.cases += one.state == State::compared;
        counts.wrong += one.state == State::wrong;
        counts.broken += one.state == State::broken;
        counts.lost += one.state == State::lost;
        counts.missing += one.state == State::missing;
        counts.added += one.state == State::added;
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

std::string_view name(State state) {
    switch (state) {
        case State::compared:
            return "compared";
        case State::wrong:
            return "wrong";
        case State::broken:
            return "broken";
        case State::lost:
            return "lost";
        case State::missing:
            return "missing";
        case State::added:
            return "added";
        case State::unmeasured:
            break;
    }
    return "unmeasured";
}

std::size_t CaseComparison::count(Effect effect) const {
    return static_cast<std::size_t>(
        std::ranges::count(quantities.changes, effect, &Change::effect));
}

bool CaseComparison::regressed() const {
    return state == State::wrong || state == State::broken || state == State::lost ||
           state == State::missing || count(Effect::regression) > 0 ||
           (time && time->verdict == Verdict::slower);
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

Comparison compare(const ResultSet& base, const ResultSet& changed, const Rules& rules) {
    Comparison comparison;
    const Matches matches = match(base, changed, rules.allowed);
    const bool alike = same_compiler(base, changed);
    comparison.base = base.source;
    comparison.changed = changed.source;
    comparison.threshold = rules.time.threshold;
    comparison.differences = matches.differences;
    comparison.fail_on_undecided = rules.fail_on_undecided;
    for (const Pair& pair : matches.pairs)
        comparison.cases.push_back(compare_pair(pair, rules, alike));
    const bool may_miss = rules.allowed.contains("missing");
    for (const Case* one : matches.only_in_base)
        comparison.cases.push_back(
            unmatched(*one, may_miss ? State::unmeasured : State::missing, "in BASE only"));
    for (const Case* one : matches.only_in_new)
        comparison.cases.push_back(
            verification_failed(*one)
                ? unmatched(*one, State::wrong, "verification failed in NEW; not in BASE")
                : unmatched(*one, State::added, "in NEW only"));
    std::ranges::stable_sort(comparison.cases, {}, badness);
    comparison.counts = count(comparison.cases);
    if (comparison.counts.timed == 0 && comparison.counts.quantities == 0 &&
        comparison.counts.regressed == 0)
        throw Error(ExitCode::incomparable,
                    fmt::format("{} and {} have {} case{} in common, but no time and no "
                                "deterministic quantity that --only leaves: measure both with the "
                                "same backend and --counters, or compare more",
                                base.source, changed.source, matches.pairs.size(),
                                matches.pairs.size() == 1 ? "" : "s"));
    comparison.notes = notes_on(comparison, base, changed, rules.scope.times, alike);
    return comparison;
}

}  // namespace camber::compare
