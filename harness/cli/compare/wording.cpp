#include "harness/cli/compare/wording.hpp"

#include <fmt/format.h>

#include <utility>

namespace camber {

using namespace compare;

namespace {

std::string number(double value) {
    return fmt::format("{:.15g}", value);
}

std::string_view word(Effect effect) {
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
    return fmt::format("{}: {} {} -> {}{}", word(change.effect), change.quantity,
                       number(change.base), number(change.changed), share);
}

}  // namespace

std::string_view verdict_of(const CaseComparison& one) {
    return one.time ? name(one.time->verdict) : std::string_view("-");
}

std::string quantities_of(const CaseComparison& one) {
    if (one.state != State::compared) return std::string(name(one.state));
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
           !one.quantities.changes.empty() || one.state == State::added;
}

std::vector<std::string> details_of(const CaseComparison& one) {
    std::vector<std::string> lines;
    const bool state_says_it = one.state == State::added || one.state == State::missing;
    if (!one.reason.empty() && !state_says_it) lines.push_back(one.reason);
    for (const Change& change : one.quantities.changes) lines.push_back(change_text(change));
    if (one.time && !one.time->reason.empty())
        lines.push_back(one.time->reason +
                        (one.time->advice.empty() ? "" : ": " + one.time->advice));
    return lines;
}

}  // namespace camber
