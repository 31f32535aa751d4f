#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/cli/compare_pages.hpp"

namespace camber {

namespace {

using namespace compare;

std::string duration(double nanoseconds) {
    if (nanoseconds < 1e6) return fmt::format("{:.2f} us", nanoseconds * 1e-3);
    if (nanoseconds < 1e9) return fmt::format("{:.3f} ms", nanoseconds * 1e-6);
    return fmt::format("{:.3f} s", nanoseconds * 1e-9);
}

std::string number(double value) {
    return fmt::format("{:.15g}", value);
}

std::string_view verdict_of(const CaseComparison& one) {
    return one.time ? name(one.time->verdict) : std::string_view("-");
}

// "equal", "2 worse, 1 better", or "-" where nothing was compared.
std::string quantities_of(const CaseComparison& one) {
    if (one.quantities.compared.empty()) return "-";
    std::string text;
    for (const auto& [effect, word] : {std::pair(Effect::regression, "worse"),
                                       {Effect::improvement, "better"},
                                       {Effect::information, "changed"}})
        if (const auto count = one.count(effect); count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
    return text.empty() ? "equal" : text;
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

std::string interval_of(const TimeComparison& time) {
    return fmt::format("{:.3f} ... {:.3f}", time.time.interval.low, time.time.interval.high);
}

bool is_finding(const CaseComparison& one) {
    return one.regressed() || one.undecided() || one.improved() ||
           !one.quantities.changes.empty() || one.state == State::added;
}

// Reasons and changes of one case, one per line.
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

}  // namespace

std::string comparison_table(const Comparison& comparison) {
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "BASE {}\nNEW  {}\n", comparison.base, comparison.changed);
    for (const std::string& difference : comparison.differences)
        fmt::format_to(to, "allowed to differ: {}\n", difference);
    std::size_t width = 4;
    for (const CaseComparison& one : comparison.cases) width = std::max(width, one.name.size());
    const bool timed = comparison.counts.timed > 0;
    const auto row = [&](std::string_view first, std::string_view verdict, std::string_view ratio,
                         std::string_view interval, std::string_view before, std::string_view after,
                         std::string_view quantities) {
        if (timed)
            fmt::format_to(to, "{:<{}}  {:<9}  {:>6}  {:<15}  {:>11}  {:>11}  {}\n", first, width,
                           verdict, ratio, interval, before, after, quantities);
        else
            fmt::format_to(to, "{:<{}}  {}\n", first, width, quantities);
    };
    row("case", "time", "ratio", "95 % interval", "BASE", "NEW", "deterministic");
    std::size_t equal = 0;
    for (const CaseComparison& one : comparison.cases) {
        // Without times there is nothing to see in cases that did not change.
        if (!timed && !is_finding(one) && one.state == State::compared) {
            ++equal;
            continue;
        }
        const std::string quantities =
            one.state == State::compared ? quantities_of(one) : std::string(name(one.state));
        if (one.time)
            row(one.name, verdict_of(one), fmt::format("{:.3f}", one.time->time.ratio),
                interval_of(*one.time), duration(one.time->base_ns), duration(one.time->new_ns),
                quantities);
        else
            row(one.name, "-", "-", "-", "-", "-", quantities);
        for (const std::string& line : details_of(one)) fmt::format_to(to, "    {}\n", line);
    }
    if (equal > 0) fmt::format_to(to, "{} case{} without a change\n", equal, equal == 1 ? "" : "s");
    for (const std::string& note : comparison.notes) fmt::format_to(to, "note: {}\n", note);
    if (timed)
        fmt::format_to(to, "ratio: NEW / BASE, above 1 is slower; threshold {:.1f} %\n",
                       100 * comparison.threshold);
    fmt::format_to(to, "{}\n", comparison.summary());
    return out;
}

std::string markdown_escaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            escaped += ' ';
            continue;
        }
        if (c == '<') {
            escaped += "&lt;";
            continue;
        }
        if (std::string_view("|*_`\\[]").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string comparison_markdown(const Comparison& comparison) {
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "**camber compare:** {}\n\n", comparison.summary());
    const auto table = [&](const auto& wanted) {
        fmt::format_to(to,
                       "| case | time | ratio | 95 % interval | deterministic |\n"
                       "|---|---|---:|---|---|\n");
        for (const CaseComparison& one : comparison.cases) {
            if (!wanted(one)) continue;
            fmt::format_to(
                to, "| {} | {} | {} | {} | {} |\n", markdown_escaped(one.name), verdict_of(one),
                one.time ? fmt::format("{:.3f}", one.time->time.ratio) : "-",
                one.time ? interval_of(*one.time) : "-",
                one.state == State::compared ? quantities_of(one) : std::string(name(one.state)));
        }
        out += '\n';
    };
    if (std::ranges::any_of(comparison.cases, is_finding)) {
        table(is_finding);
        out += "<details><summary>What changed</summary>\n\n";
        for (const CaseComparison& one : comparison.cases) {
            if (!is_finding(one)) continue;
            for (const std::string& line : details_of(one))
                fmt::format_to(to, "- {}: {}\n", markdown_escaped(one.name),
                               markdown_escaped(line));
        }
        out += "\n</details>\n\n";
    }
    fmt::format_to(to, "<details><summary>All {} cases</summary>\n\n", comparison.cases.size());
    table([](const CaseComparison&) { return true; });
    out += "</details>\n\n";
    for (const std::string& difference : comparison.differences)
        fmt::format_to(to, "- allowed to differ: {}\n", markdown_escaped(difference));
    for (const std::string& note : comparison.notes)
        fmt::format_to(to, "- {}\n", markdown_escaped(note));
    fmt::format_to(to, "- BASE: {}, NEW: {}; threshold {:.1f} %\n",
                   markdown_escaped(comparison.base), markdown_escaped(comparison.changed),
                   100 * comparison.threshold);
    return out;
}

std::string self_test_table(const SelfTest& test) {
    std::string out;
    const auto to = std::back_inserter(out);
    std::vector<const SelfPair*> worst;
    for (const SelfPair& pair : test.pairs) worst.push_back(&pair);
    std::ranges::stable_sort(worst, std::greater(), &SelfPair::effect);
    constexpr std::size_t shown = 10;
    if (worst.size() > shown) worst.resize(shown);
    std::size_t width = 4;
    for (const SelfPair* pair : worst) width = std::max(width, pair->name.size());
    fmt::format_to(to, "{:<{}}  {:<9}  {:<9}  {:>6}  {}\n", "case", width, "halves of", "verdict",
                   "ratio", "95 % interval");
    for (const SelfPair* pair : worst)
        fmt::format_to(to, "{:<{}}  {:<9}  {:<9}  {:>6.4f}  {}\n", pair->name, width, pair->split,
                       name(pair->comparison.verdict), pair->comparison.time.ratio,
                       interval_of(pair->comparison));
    if (test.pairs.size() > worst.size())
        fmt::format_to(to, "and {} pairs that differ less\n", test.pairs.size() - worst.size());
    fmt::format_to(to,
                   "|ratio - 1| of all pairs: median {:.2f} %, 90 % under {:.2f} %, 95 % under "
                   "{:.2f} %, 99 % under {:.2f} %, largest {:.2f} %\n",
                   100 * test.median, 100 * test.p90, 100 * test.p95, 100 * test.p99,
                   100 * test.largest);
    if (test.threshold_one_in_50)
        fmt::format_to(
            to, "at most 1 in 50 pairs would alarm at --threshold {:.1f}%, none at {:.1f}%\n",
            100 * *test.threshold_one_in_50, 100 * test.threshold_without_alarm);
    else
        fmt::format_to(to,
                       "no pair would alarm at --threshold {:.1f}%; with fewer than 50 pairs that "
                       "says little\n",
                       100 * test.threshold_without_alarm);
    fmt::format_to(to, "{}\n", test.summary());
    return out;
}

}  // namespace camber
