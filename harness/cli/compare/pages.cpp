#include "harness/cli/compare/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <vector>

#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

using namespace comparison;

std::string comparison_table(const Comparison& comparison) {
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "BASE {}\nNEW  {}\n", comparison.base, comparison.changed);
    for (const std::string& difference : comparison.differences)
        fmt::format_to(to, "allowed to differ: {}\n", difference);
    const bool timed = comparison.counts.timed > 0;
    std::vector<TableColumn> columns{{"case", Align::left}};
    if (timed)
        columns.insert(columns.end(), {{"time", Align::left, 9},
                                       {"ratio", Align::right, 6},
                                       {"95 % interval", Align::left, 15},
                                       {"BASE", Align::right, 11},
                                       {"NEW", Align::right, 11}});
    columns.push_back({"deterministic", Align::left});
    TextTable table(columns);
    std::size_t equal = 0;
    for (const CaseComparison& one : comparison.cases) {
        // Without times, rows of unchanged cases carry no information.
        if (!timed && !is_finding(one) && one.standing == Standing::compared) {
            ++equal;
            continue;
        }
        std::vector<std::string> row{one.name};
        if (one.time)
            row.insert(
                row.end(),
                {std::string(verdict_of(one)), fmt::format("{:.3f}", one.time->time.ratio),
                 interval_of(*one.time), duration(one.time->base_ns), duration(one.time->new_ns)});
        row.resize(columns.size() - 1, "-");
        row.push_back(quantities_of(one));
        table.add(std::move(row));
        for (const std::string& line : details_of(one)) table.add_spanning({"    " + line});
    }
    out += table.plain();
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
                out += fmt::format("- {}: {}\n", escape_markdown(one.name), escape_markdown(line));
    }
    if (lines > most_rows) out += fmt::format("- {} more are left out\n", lines - most_rows);
    out += "\n</details>\n\n";
}

}  // namespace

std::string comparison_markdown(const Comparison& comparison) {
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "**camber compare:** {}\n\n", comparison.summary());
    const auto add_table = [&](const auto& wanted) {
        TextTable table({{"case", Align::left},
                         {"time", Align::left},
                         {"ratio", Align::right},
                         {"95 % interval", Align::left},
                         {"deterministic", Align::left}});
        std::size_t rows = 0;
        for (const CaseComparison& one : comparison.cases) {
            if (!wanted(one) || ++rows > most_rows) continue;
            table.add({escape_markdown(one.name), std::string(verdict_of(one)),
                       one.time ? fmt::format("{:.3f}", one.time->time.ratio) : "-",
                       one.time ? interval_of(*one.time) : "-", quantities_of(one)});
        }
        out += table.markdown();
        if (rows > most_rows) fmt::format_to(to, "\n{} more are left out.\n", rows - most_rows);
        out += '\n';
    };
    if (std::ranges::any_of(comparison.cases, is_finding)) {
        add_table(is_finding);
        append_details(out, comparison);
    }
    const auto is_timed = [](const CaseComparison& one) { return one.time.has_value(); };
    if (const auto timed = std::ranges::count_if(comparison.cases, is_timed); timed > 0) {
        fmt::format_to(to, "<details><summary>All {} times</summary>\n\n", timed);
        add_table(is_timed);
        out += "</details>\n\n";
    }
    out += predicted_markdown(comparison.predicted, most_rows);
    for (const std::string& difference : comparison.differences)
        fmt::format_to(to, "- allowed to differ: {}\n", escape_markdown(difference));
    for (const std::string& note : notes_on(comparison))
        fmt::format_to(to, "- {}\n", escape_markdown(note));
    fmt::format_to(to, "- BASE: {}, NEW: {}; threshold {:.1f} %\n",
                   escape_markdown(comparison.base), escape_markdown(comparison.changed),
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
        table.add({code ? escape_markdown(pair.name) : pair.name, predicted_text(pair.base),
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
                       escape_markdown(predicted_heading(times)),
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
    TextTable table({{"case", Align::left},
                     {"halves of", Align::left},
                     {"verdict", Align::left, 9},
                     {"ratio", Align::right, 6},
                     {"95 % interval", Align::left}});
    for (const SelfPair* pair : worst)
        table.add(
            {pair->name, std::string(pair->split), std::string(name(pair->comparison.verdict)),
             fmt::format("{:.4f}", pair->comparison.time.ratio), interval_of(pair->comparison)});
    out += table.plain();
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
