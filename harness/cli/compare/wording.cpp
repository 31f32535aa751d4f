#include "harness/cli/compare/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/compare/comparison.hpp"
#include "analysis/compare/verdict.hpp"

namespace camber {

using namespace comparison;

namespace {

std::string number(double value) {
    return fmt::format("{:.15g}", value);
}

std::string_view shown_word(Effect effect) {
    switch (effect) {
        case Effect::regression:
            return "WORSE";
        case Effect::improvement:
            return "better";
        case Effect::information:
            break;
    }
    return "changed";
}

std::string change_text(const Change& change) {
    const std::string share =
        change.base != 0
            ? fmt::format(" ({:+.2f} %)", 100 * (change.changed - change.base) / change.base)
            : "";
    return fmt::format("{}: {} {} -> {}{}", shown_word(change.effect), change.quantity,
                       number(change.base), number(change.changed), share);
}

}  // namespace

std::string_view verdict_of(const CaseComparison& one) {
    return one.time ? name(one.time->verdict) : std::string_view("-");
}

std::string quantities_of(const CaseComparison& one) {
    if (one.standing != Standing::compared) return std::string(name(one.standing));
    if (one.quantities.compared.empty()) return "-";
    std::string text;
    for (const auto& [effect, word] : {std::pair(Effect::regression, "worse"),
                                       {Effect::improvement, "better"},
                                       {Effect::information, "changed"}})
        if (const auto count = one.count(effect); count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
    return text.empty() ? "equal" : text;
}

std::string interval_of(const TimeComparison& time) {
    return fmt::format("{:.3f} ... {:.3f}", time.time.interval.low, time.time.interval.high);
}

bool is_finding(const CaseComparison& one) {
    return one.regressed() || one.undecided() || one.improved() ||
           !one.quantities.changes.empty() || one.standing == Standing::added;
}

std::vector<std::string> details_of(const CaseComparison& one) {
    std::vector<std::string> lines;
    const bool state_says_it = one.standing == Standing::added || one.standing == Standing::missing;
    if (!one.reason.empty() && !state_says_it) lines.push_back(one.reason);
    for (const Change& change : one.quantities.changes) lines.push_back(change_text(change));
    if (one.time && !one.time->reason.empty()) lines.push_back(reason_of(*one.time));
    return lines;
}

std::string advice_of(const TimeComparison& time) {
    const std::size_t more = std::max<std::size_t>(
        10, 2 * std::min(time.base_spread.processes, time.new_spread.processes));
    switch (time.advice) {
        case Advice::more_samples:
            return fmt::format(
                "measure at least {}, with more --rounds or --processes "
                "(--benchmark_repetitions of a program of Google Benchmark's)",
                least_samples);
        case Advice::more_processes:
            return fmt::format(
                "raise --processes to {} or more in both: what differs is the process (where its "
                "memory lies, the state of the machine), and more samples in one process do not "
                "average "
                "it out",
                more);
        case Advice::several_processes:
            return "measure both with --processes 5, or with more --rounds";
        case Advice::processes_or_rounds:
            return fmt::format("raise --processes to {} or more in both, or --rounds", more);
        case Advice::equal_clocks:
            return "measure both again at one clock: on an idle, cool device, in turns";
        case Advice::recorded_clocks:
            return "measure both again with clocks recorded (NVML)";
        case Advice::none:
            break;
    }
    return "";
}

std::string reason_of(const TimeComparison& time) {
    const std::string advice = advice_of(time);
    return advice.empty() ? time.reason : time.reason + ": " + advice;
}

using namespace comparison;

std::vector<std::string> notes_on(const Comparison& comparison) {
    std::vector<std::string> notes;
    const auto timed = [&](const auto& holds) {
        return std::ranges::count_if(comparison.cases, [&](const CaseComparison& one) {
            return one.time && holds(*one.time);
        });
    };
    for (const std::string& file : comparison.with_times_only)
        notes.push_back(fmt::format(
            "{} was written by Google Benchmark: it has times only, no deterministic quantities "
            "and no clock, and it does not name its GPU",
            file));
    if (const auto alone =
            timed([](const TimeComparison& t) { return !t.time.between_processes_known; }))
        notes.push_back(fmt::format(
            "{} case{} measured in one process in one of the files: how much processes differ is "
            "unknown there, so the intervals are too narrow; measure with --processes 5",
            alone, alone == 1 ? " was" : "s were"));
    double misses = 0;
    const auto few = timed([&](const TimeComparison& t) {
        const double share = range_misses(t.base_spread.processes, t.new_spread.processes);
        if (!t.time.between_processes_known || share <= 0.05) return false;
        misses = std::max(misses, share);
        return true;
    });
    if (few > 0)
        notes.push_back(fmt::format(
            "{} case{} measured in so few processes that up to {:.0f} % of such intervals miss the "
            "true ratio; --processes 5 makes it under 1 %",
            few, few == 1 ? " was" : "s were", 100 * misses));
    if (const auto blind = timed([](const TimeComparison& t) { return !t.cycles_ratio; }))
        notes.push_back(
            fmt::format("the files do not tell the SM clock of {} case{}: whether a change of "
                        "clocks explains a "
                        "difference in time could not be checked",
                        blind, blind == 1 ? "" : "s"));
    if (const auto clocks = timed([&](const TimeComparison& t) {
            const double drift = t.cycles_ratio ? *t.cycles_ratio / t.time.ratio : 1;
            return t.verdict == Verdict::same &&
                   (drift > 1 + comparison.threshold || drift < 1 / (1 + comparison.threshold));
        }))
        notes.push_back(fmt::format(
            "{} case{} SAME in time at SM clocks that differ by more than the threshold", clocks,
            clocks == 1 ? " is" : "s are"));
    if (!comparison.same_compiler)
        notes.emplace_back(
            "the files name different compilers, runtimes or flags: registers, local memory and "
            "instructions are information only");
    std::map<QuantityFamily, std::size_t> lacking;
    for (const CaseComparison& one : comparison.cases)
        for (const auto& [family, quantities] : one.quantities.only_in_base)
            lacking[family] += quantities;
    for (const auto& [family, quantities] : lacking)
        notes.push_back(
            fmt::format("{} quantities of the family {} are in BASE only, and were "
                        "not compared",
                        quantities, name(family)));
    if (comparison.times_of_simt)
        notes.emplace_back("times of the simt backend say nothing about a GPU: not compared");
    return notes;
}

std::string verdict_between(const results::CaseRecord& before, const results::CaseRecord& now) {
    const auto base = comparison::timing_of(before);
    const auto time = comparison::timing_of(now);
    if (!base || !time) return "";
    const comparison::TimeComparison verdict = comparison::compare_times(*base, *time, {});
    return fmt::format("{}, {:.3f} of its time ({:.3f} ... {:.3f})", name(verdict.verdict),
                       verdict.time.ratio, verdict.time.interval.low, verdict.time.interval.high);
}

std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates) {
    std::string lines;
    const auto is_candidate = [&](const results::CaseRecord& record) {
        return std::ranges::find(candidates, record.identity.variant) != candidates.end();
    };
    for (const results::CaseRecord& candidate : document.cases) {
        if (!is_candidate(candidate)) continue;
        if (!comparison::timing_of(candidate)) continue;
        for (const results::CaseRecord& other : document.cases) {
            if (is_candidate(other) || other.identity.cache != candidate.identity.cache) continue;
            if (!comparison::timing_of(other)) continue;
            lines += fmt::format("{} against {}: {}\n", candidate.identity.variant,
                                 other.identity.variant, verdict_between(other, candidate));
        }
    }
    return lines;
}

std::vector<std::string> not_slower(const results::Document& document, const std::string& best,
                                    const std::vector<std::string>& variants) {
    const auto time_of_variant = [&](const std::string& name) -> std::optional<comparison::Timing> {
        for (const results::CaseRecord& record : document.cases)
            if (record.identity.variant == name && record.status == results::Status::ok)
                return comparison::timing_of(record);
        return std::nullopt;
    };
    std::vector<std::string> names;
    const auto base = time_of_variant(best);
    for (const std::string& name : variants) {
        const auto time = time_of_variant(name);
        if (base && time && name != best &&
            comparison::compare_times(*base, *time, {}).verdict != comparison::Verdict::slower)
            names.push_back(name);
    }
    return names;
}

}  // namespace camber
