#include "analysis/report/summary.hpp"
#include "harness/base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace camber::report {

namespace {

using results::Status;

bool same_kind(const Group& a, const Group& b) {
    return a.device == b.device && a.title() == b.title();
}

std::string best_of(const Group& group, const Report& report) {
    const Row& best = group.rows.front();
    const auto timed = static_cast<std::size_t>(
        std::ranges::count_if(group.rows, [](const Row& row) { return row.rank > 0; }));
    const bool ambiguous = std::ranges::count_if(report.groups, [&](const Group& other) {
                               return same_kind(group, other);
                           }) > 1;
    const std::string where =
        ambiguous ? fmt::format(", in {}", report.files[group.file].name) : "";
    std::string text =
        fmt::format("{} on {}{}: {} is the fastest of {}", group.title(), group.device, where,
                    best.variant, counted(timed, "timed variant"));
    if (best.application_bytes_per_second && best.cells_per_second)
        text +=
            fmt::format(": {:.1f} GB/s application bandwidth ({:.1f} Gcell/s)",
                        *best.application_bytes_per_second * 1e-9, *best.cells_per_second * 1e-9);
    else
        text += fmt::format(": {:.4g} us", *best.median_ns * 1e-3);
    if (best.share_of_copy)
        text += fmt::format(", {} of copy bandwidth", percent(*best.share_of_copy));
    if (best.step_share_of_copy && best.share_of_copy &&
        percent(*best.step_share_of_copy) != percent(*best.share_of_copy))
        text += fmt::format(" ({} counting the bytes that its own steps must move)",
                            percent(*best.step_share_of_copy));
    if (best.speedup && !group.baseline.empty() && group.baseline != best.variant)
        text +=
            fmt::format(", {:.2f} times as fast as the baseline {}", *best.speedup, group.baseline);
    else if (best.speedup && group.baseline.empty())
        text += fmt::format(", {:.2f} times as fast as the baseline", *best.speedup);
    return text + ".";
}

// The largest difference of medians between the newest group and an earlier one of the same kind.
std::string agreement(const Group& newest, const Group& earlier, const Report& report) {
    std::map<std::string, double> medians;
    for (const Row& row : newest.rows)
        if (row.rank > 0) medians[row.variant] = *row.median_ns;
    std::size_t common = 0;
    double largest = 0;
    std::string where;
    for (const Row& row : earlier.rows) {
        const auto found = medians.find(row.variant);
        if (row.rank == 0 || found == medians.end()) continue;
        ++common;
        const double change = found->second / *row.median_ns - 1;
        if (std::abs(change) <= std::abs(largest)) continue;
        largest = change;
        where = row.variant;
    }
    if (common == 0) return "";
    return fmt::format(
        "{} is also in {}. The medians of {} in both files differ by at most {:+.1f} % ({}, from "
        "{} "
        "to {}).",
        newest.title(), report.files[earlier.file].name, counted(common, "variant"), 100 * largest,
        where, report.files[earlier.file].name, report.files[newest.file].name);
}

std::string not_measured(const Report& report, Status status, const char* verb) {
    std::map<std::string, std::set<std::string>> variants;  // by reason
    std::size_t count = 0;
    for (const Group& group : report.groups)
        for (const Row& row : group.rows)
            if (row.status == status) {
                ++count;
                variants[row.reason].insert((group.workload.empty() ? "" : group.workload + "/") +
                                            row.variant);
            }
    if (count == 0) return fmt::format("No case {}.", verb);
    std::string text = fmt::format("{} {}:", counted(count, "case"), name(status));
    const char* separator = " ";
    for (const auto& [reason, names] : variants) {
        text += fmt::format("{}{} ({})", separator, fmt::join(names, ", "), reason);
        separator = "; ";
    }
    return text + ".";
}

// ": variant (quantities), ..." of the counters that deviate from their predictions.
std::string deviations(const Report& report) {
    std::map<std::string, std::set<std::string>> quantities;  // by variant
    for (const Group& group : report.groups)
        for (const Row& row : group.rows)
            for (const CounterComparison& pair : row.counters)
                if (!pair.agrees)
                    quantities[group.workload + "/" + row.variant].insert(pair.quantity);
    constexpr std::size_t most = 8;  // the chart and its table have all
    std::string text;
    std::size_t shown = 0;
    for (const auto& [variant, names] : quantities) {
        if (++shown > most) break;
        text +=
            fmt::format("{}{} ({})", text.empty() ? ": " : ", ", variant, fmt::join(names, ", "));
    }
    if (quantities.size() > most)
        text += fmt::format(" and {} more variants", quantities.size() - most);
    return text;
}

}  // namespace

std::string counted(std::size_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

CounterTally tally(const std::vector<Group>& groups) {
    CounterTally sum;
    for (const Group& group : groups)
        for (const Row& row : group.rows)
            for (const CounterComparison& pair : row.counters) {
                ++sum.pairs;
                if (pair.predicted == pair.measured)
                    ++sum.equal;
                else if (pair.agrees)
                    ++sum.within_tolerance;
                else
                    ++sum.deviating;
            }
    return sum;
}

std::vector<std::string> summary(const Report& report) {
    std::vector<std::string> sentences;
    for (const Group& group : report.groups)
        if (!group.rows.empty() && group.rows.front().rank > 0)
            sentences.push_back(best_of(group, report));
    for (const Group& earlier : report.groups) {
        if (earlier.newest) continue;
        for (const Group& newest : report.groups)
            if (newest.newest && same_kind(newest, earlier))
                if (std::string sentence = agreement(newest, earlier, report); !sentence.empty())
                    sentences.push_back(std::move(sentence));
    }
    if (report.groups.empty()) return sentences;
    sentences.push_back(not_measured(report, Status::failed, "failed"));
    sentences.push_back(not_measured(report, Status::skipped, "was skipped"));
    if (const CounterTally pairs = tally(report.groups); pairs.pairs > 0)
        sentences.push_back(fmt::format(
            "{} of {} predicted counters match exactly, {} are within the model's tolerance "
            "(shared-memory wavefronts), {} deviate{}.",
            pairs.equal, pairs.pairs, pairs.within_tolerance, pairs.deviating, deviations(report)));
    return sentences;
}

}  // namespace camber::report
