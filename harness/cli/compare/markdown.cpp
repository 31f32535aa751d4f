#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

namespace {

using namespace compare;

// GitHub takes comments of up to 65536 characters.
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

}  // namespace camber
