#include "harness/cli/history/trend_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"

namespace camber {

namespace {

using history::CaseTrend;
using history::MachineTrend;

// Commits that a line of blocks shows; older ones are left out.
constexpr std::size_t most_blocks = 40;
constexpr std::size_t most_changes = 3;
// With fewer values, no split is significant.
constexpr std::size_t commits_for_change_points = 8;

std::string count_of(std::size_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string percent_change(double before, double after) {
    return before != 0 ? fmt::format("{:+.2f} %", 100 * (after - before) / before)
                       : fmt::format("from 0 to {:.15g}", after);
}

const char* word_of(comparison::Effect effect) {
    switch (effect) {
        case comparison::Effect::regression:
            return "WORSE";
        case comparison::Effect::improvement:
            return "better";
        case comparison::Effect::information:
            break;
    }
    return "changed";
}

bool is_judged(const comparison::Change& change) {
    return change.effect != comparison::Effect::information;
}

// The last entries of a list, with the number of those left out.
std::string last_of(const std::vector<std::string>& entries) {
    if (entries.empty()) return "-";
    const std::size_t first = entries.size() > most_changes ? entries.size() - most_changes : 0;
    const std::string text = fmt::format("{}", fmt::join(std::span(entries).subspan(first), "; "));
    return first == 0 ? text : fmt::format("{} earlier; {}", first, text);
}

std::string exact_number(const std::optional<double>& value) {
    return value ? fmt::format("{:.15g}", *value) : "-";
}

std::optional<double> first_of(const std::vector<std::optional<double>>& values) {
    for (const auto& value : values)
        if (value) return value;
    return std::nullopt;
}

TextTable quantity_rows(const MachineTrend& trend, const TrendChoice& choice) {
    TextTable table({"case", "quantity", "trend", "changes", "first", "last"}, 4);
    for (const CaseTrend& one : trend.cases) {
        if (!matches_glob(choice.cases, one.name)) continue;
        for (const history::QuantityTrend& series : one.quantities) {
            std::vector<std::string> changes;
            bool judged = false;
            for (const auto& [commit, change] : one.changes) {
                if (change.family != series.family || change.quantity != series.quantity) continue;
                judged = judged || is_judged(change);
                changes.push_back(fmt::format("{} {} at {}", word_of(change.effect),
                                              percent_change(change.base, change.changed),
                                              trend.commits[commit].text()));
            }
            if (!judged && !choice.all) continue;
            const auto newest = std::find_if(series.values.rbegin(), series.values.rend(),
                                             [](const auto& value) { return value.has_value(); });
            table.add({one.name, series.quantity, blocks(series.values), last_of(changes),
                       exact_number(first_of(series.values)), exact_number(*newest)});
        }
    }
    return table;
}

TextTable time_rows(const MachineTrend& trend, const TrendChoice& choice) {
    TextTable table({"case", "trend", "change points", "first", "last"}, 3);
    for (const CaseTrend& one : trend.cases) {
        if (one.times.empty() || !matches_glob(choice.cases, one.name)) continue;
        if (one.time_changes.empty() && !choice.all) continue;
        std::vector<std::optional<double>> values(trend.commits.size());
        for (const history::TimePoint& point : one.times) values[point.commit] = point.ns;
        std::vector<std::string> changes;
        for (const history::TimeChange& change : one.time_changes)
            changes.push_back(fmt::format("{} {} at {}", change.ratio() > 1 ? "SLOWER" : "FASTER",
                                          percent_change(change.before_ns, change.after_ns),
                                          trend.commits[change.commit].text()));
        table.add({one.name, blocks(values), last_of(changes), duration(one.times.front().ns),
                   duration(one.times.back().ns)});
    }
    return table;
}

std::string date_of(const history::Commit& commit) {
    return history::utc_text(commit.time).substr(0, 10);
}

std::string heading(const MachineTrend& trend) {
    const auto named = [](const history::Commit& commit) {
        return fmt::format("{} ({})", commit.text(), date_of(commit));
    };
    std::string text = trend.machine.name;
    if (trend.machine.hardware != trend.machine.name)
        text += fmt::format(" ({})", trend.machine.hardware);
    text += fmt::format(": {}, {}", count_of(trend.commits.size(), "commit"),
                        named(trend.commits.front()));
    if (trend.commits.size() > 1) text += fmt::format(" to {}", named(trend.commits.back()));
    return text;
}

void append_machine(std::string& out, const MachineTrend& trend, const TrendChoice& choice) {
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "{}\n", heading(trend));
    std::size_t cases = 0, timed = 0, changed = 0, moved = 0;
    for (const CaseTrend& one : trend.cases) {
        if (!matches_glob(choice.cases, one.name)) continue;
        ++cases;
        timed += !one.times.empty();
        changed += std::ranges::any_of(one.changes, [](const history::QuantityChange& change) {
            return is_judged(change.change);
        });
        moved += !one.time_changes.empty();
        for (const auto& [commit, reason] : one.failures)
            fmt::format_to(to, "FAILED at {}: {}: {}\n", trend.commits[commit].text(), one.name,
                           reason);
    }
    if (const TextTable table = quantity_rows(trend, choice); !table.empty()) out += table.plain();
    fmt::format_to(to, "{}, {} with a change of a deterministic quantity\n",
                   count_of(cases, "case"), changed);
    if (timed > 0) {
        if (const TextTable table = time_rows(trend, choice); !table.empty()) out += table.plain();
        fmt::format_to(to,
                       "{}, {} with a change point (E-divisive, Matteson and James 2014; "
                       "effects over {:.1f} %)\n",
                       count_of(timed, "timed case"), moved, 100 * choice.threshold);
        if (trend.commits.size() < commits_for_change_points)
            fmt::format_to(to,
                           "note: change points need at least {} commits, four on either side; "
                           "camber history gate judges the newest one\n",
                           commits_for_change_points);
    }
    for (const std::string& sentence : trend.environment)
        fmt::format_to(to, "note: changed at {}\n", sentence);
}

}  // namespace

std::string blocks(const std::vector<std::optional<double>>& values) {
    const std::size_t first = values.size() > most_blocks ? values.size() - most_blocks : 0;
    std::optional<double> low, high;
    for (std::size_t k = first; k < values.size(); ++k) {
        if (!values[k]) continue;
        low = std::min(low.value_or(*values[k]), *values[k]);
        high = std::max(high.value_or(*values[k]), *values[k]);
    }
    static constexpr const char* heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string text = first > 0 ? "…" : "";
    for (std::size_t k = first; k < values.size(); ++k) {
        if (!values[k]) {
            text += "·";
            continue;
        }
        const double share = *high > *low ? (*values[k] - *low) / (*high - *low) : 0;
        text += heights[static_cast<std::size_t>(share * 7 + 0.5)];
    }
    return text;
}

std::string trends_html(const std::vector<MachineTrend>& trends) {
    std::string html;
    for (const MachineTrend& trend : trends) {
        html += fmt::format("<h2>{}</h2>\n", escape_xml(heading(trend)));
        const auto add = [&](const TextTable& table, const char* caption) {
            if (!table.empty())
                html += table.html(
                    {.caption = fmt::format("{}, {}", trend.machine.name, caption), .links = {}});
        };
        add(quantity_rows(trend, {}), "deterministic quantities that changed");
        add(time_rows(trend, {.cases = "*", .all = true}), "times over commits");
    }
    return html;
}

std::string trends_text(const std::vector<MachineTrend>& trends, const TrendChoice& choice) {
    std::string out;
    for (const MachineTrend& trend : trends) {
        if (!out.empty()) out += '\n';
        append_machine(out, trend, choice);
    }
    if (trends.size() > 1)
        out += fmt::format("note: {} machines: each has series of its own, which are never mixed\n",
                           trends.size());
    return out;
}

}  // namespace camber
