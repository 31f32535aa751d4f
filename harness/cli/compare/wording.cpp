#include "harness/cli/compare/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace camber {

using namespace compare;

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

}  // namespace camber
