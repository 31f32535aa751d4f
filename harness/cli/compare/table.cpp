#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/base/number_text.hpp"
#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

using namespace compare;

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

}  // namespace camber
