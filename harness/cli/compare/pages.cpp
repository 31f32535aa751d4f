#include "harness/cli/compare/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

using namespace comparison;

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
        // Without times, rows of unchanged cases carry no information.
        if (!timed && !is_finding(one) && one.standing == Standing::compared) {
            ++equal;
            continue;
        }
        const std::string quantities = quantities_of(one);
        if (one.time)
            row(one.name, verdict_of(one), fmt::format("{:.3f}", one.time->time.ratio),
                interval_of(*one.time), duration(one.time->base_ns), duration(one.time->new_ns),
                quantities);
        else
            row(one.name, "-", "-", "-", "-", "-", quantities);
        for (const std::string& line : details_of(one)) fmt::format_to(to, "    {}\n", line);
    }
    if (equal > 0) fmt::format_to(to, "{} case{} without a change\n", equal, equal == 1 ? "" : "s");
    out += predicted_table(comparison.predicted);
    for (const std::string& note : notes_on(comparison)) fmt::format_to(to, "note: {}\n", note);
    if (timed)
        fmt::format_to(to, "ratio: NEW / BASE, above 1 is slower; threshold {:.1f} %\n",
                       100 * comparison.threshold);
    fmt::format_to(to, "{}\n", comparison.summary());
    return out;
}

namespace {

using namespace comparison;

// GitHub accepts comments of up to 65536 characters.
constexpr std::size_t most_rows = 120;

void append_details(std::string& out, const Comparison& comparison) {
    out += "<details><summary>What changed</summary>\n\n";
    std::size_t lines = 0;
    for (const CaseComparison& one : comparison.cases) {
        if (!is_finding(one)) continue;
        for (const std::string& line : details_of(one))
            if (++lines <= most_rows)
                out +=
                    fmt::format("- {}: {}\n", markdown_escaped(one.name), markdown_escaped(line));
    }
    if (lines > most_rows) out += fmt::format("- {} more are left out\n", lines - most_rows);
    out += "\n</details>\n\n";
}

}  // namespace

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
        std::size_t rows = 0;
        for (const CaseComparison& one : comparison.cases) {
            if (!wanted(one) || ++rows > most_rows) continue;
            fmt::format_to(to, "| {} | {} | {} | {} | {} |\n", markdown_escaped(one.name),
                           verdict_of(one),
                           one.time ? fmt::format("{:.3f}", one.time->time.ratio) : "-",
                           one.time ? interval_of(*one.time) : "-", quantities_of(one));
        }
        if (rows > most_rows) fmt::format_to(to, "\n{} more are left out.\n", rows - most_rows);
        out += '\n';
    };
    if (std::ranges::any_of(comparison.cases, is_finding)) {
        table(is_finding);
        append_details(out, comparison);
    }
    const auto is_timed = [](const CaseComparison& one) { return one.time.has_value(); };
    if (const auto timed = std::ranges::count_if(comparison.cases, is_timed); timed > 0) {
        fmt::format_to(to, "<details><summary>All {} times</summary>\n\n", timed);
        table(is_timed);
        out += "</details>\n\n";
    }
    out += predicted_markdown(comparison.predicted, most_rows);
    for (const std::string& difference : comparison.differences)
        fmt::format_to(to, "- allowed to differ: {}\n", markdown_escaped(difference));
    for (const std::string& note : notes_on(comparison))
        fmt::format_to(to, "- {}\n", markdown_escaped(note));
    fmt::format_to(to, "- BASE: {}, NEW: {}; threshold {:.1f} %\n",
                   markdown_escaped(comparison.base), markdown_escaped(comparison.changed),
                   100 * comparison.threshold);
    return out;
}

// Comparison of the predicted times in both files.

using namespace comparison;

namespace {

constexpr double unchanged_share = 0.001;

bool unchanged(const PredictedPair& pair) {
    return std::abs(pair.ratio() - 1) <= unchanged_share;
}

std::string predicted_text(const PredictedTimeOf& time) {
    return fmt::format("{}{} ({} ... {})", duration(time.seconds * 1e9), time.uncertain ? "?" : "",
                       duration(time.low * 1e9), duration(time.high * 1e9));
}

std::string binding_of(const PredictedPair& pair) {
    return pair.base.binding == pair.changed.binding
               ? pair.base.binding
               : fmt::format("{}, then {}", pair.base.binding, pair.changed.binding);
}

// Omits unchanged rows and reports their number in `others`.
TextTable predicted_rows(const PredictedTimes& times, std::size_t most, std::string& others,
                         bool code) {
    TextTable table({"predicted", "BASE", "NEW", "ratio", "intervals", "binds"}, 1);
    std::size_t rows = 0;
    std::size_t equal = 0;
    for (const PredictedPair& pair : times.pairs) {
        if (unchanged(pair)) {
            ++equal;
            continue;
        }
        if (++rows > most) continue;
        table.add({code ? markdown_escaped(pair.name) : pair.name, predicted_text(pair.base),
                   predicted_text(pair.changed), fmt::format("{:.3f}", pair.ratio()),
                   pair.apart() ? "apart" : "overlap", binding_of(pair)});
    }
    if (rows > most) others += fmt::format("{} more are left out\n", rows - most);
    if (equal > 0)
        others +=
            fmt::format("{} predicted time{} the same\n", equal, equal == 1 ? " is" : "s are");
    return table;
}

std::string predicted_heading(const PredictedTimes& times) {
    return fmt::format("predicted times of a generation on {}: information, no verdict",
                       times.device());
}

}  // namespace

std::string predicted_table(const PredictedTimes& times) {
    if (times.empty()) return "";
    std::string others;
    const TextTable table = predicted_rows(times, times.pairs.size(), others, false);
    return fmt::format("{}\n{}{}", predicted_heading(times), table.empty() ? "" : table.plain(),
                       others);
}

std::string predicted_markdown(const PredictedTimes& times, std::size_t most) {
    if (times.empty()) return "";
    std::string others;
    const TextTable table = predicted_rows(times, most, others, true);
    return fmt::format("<details><summary>{}</summary>\n\n{}\n{}\n</details>\n\n",
                       markdown_escaped(predicted_heading(times)),
                       table.empty() ? "" : table.markdown(), others);
}

using namespace comparison;

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
