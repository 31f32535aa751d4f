#include "analysis/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/base/text/text.hpp"

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

// Largest difference of medians between the newest group and an earlier one of the same kind.
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

// Counters that deviate from their predictions: ": variant (quantities), ...".
std::string deviations(const Report& report) {
    std::map<std::string, std::set<std::string>> quantities;  // by variant
    for (const Group& group : report.groups)
        for (const Row& row : group.rows)
            for (const CounterComparison& pair : row.counters)
                if (!pair.agrees)
                    quantities[group.workload + "/" + row.variant].insert(pair.quantity);
    constexpr std::size_t most = 8;  // the chart and its table list all
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

namespace {

using results::Status;

constexpr std::size_t min_samples = 4;  // for meaningful quartiles
constexpr double wide_spread = 0.05;

std::string in_words(std::int64_t count) {
    const auto value = static_cast<double>(count);
    if (value >= 1e9) return fmt::format("{:.1f} billion", value * 1e-9);
    if (value >= 1e6) return fmt::format("{:.1f} million", value * 1e-6);
    return std::to_string(count);
}

bool has_best(const Group& group) {
    return !group.rows.empty() && group.rows.front().rank > 0;
}

std::string fastest(const Group& group) {
    const Row& best = group.rows.front();
    std::string text = group.rows.size() == 1
                           ? fmt::format("{} of {}: ", best.variant, group.title())
                           : fmt::format("{} is the fastest of {} of {}: ", best.variant,
                                         counted(group.rows.size(), "variant"), group.title());
    if (best.application_bytes_per_second)
        text += fmt::format("{:.1f} GB/s application bandwidth",
                            *best.application_bytes_per_second * 1e-9);
    else
        text += duration(*best.median_ns);
    if (best.share_of_copy)
        text += fmt::format(", {} of copy bandwidth", percent(*best.share_of_copy));
    // A share above 100 % must be explained.
    const double generations = best.generations_per_launch.value_or(1);
    if (best.share_of_copy.value_or(0) > 1 && generations > 1)
        text += fmt::format(" ({} generations per launch)", generations);
    return text + ".";
}

std::string limit(const Row& best) {
    if (best.limited_by.empty())
        return "Limiting resource unknown: the file lacks hardware counters, which camber profile "
               "reads.";
    if (best.estimated_share)
        return fmt::format("Probably limited by {}: {} of its ceiling, estimated without counters.",
                           best.limited_by, percent(*best.estimated_share));
    if (best.limit_share && best.limit == best.limited_by)
        return fmt::format("Limited by {}: {} of its ceiling.", best.limited_by,
                           percent(*best.limit_share));
    // "latency: too few warps"
    const auto colon = best.limited_by.find(": ");
    std::string text = colon == std::string::npos
                           ? fmt::format("Limited by {}.", best.limited_by)
                           : fmt::format("Limited by {} ({}).", best.limited_by.substr(0, colon),
                                         best.limited_by.substr(colon + 2));
    if (best.limit_share)
        text += fmt::format(" The busiest resource is {}, at {} of its ceiling.", best.limit,
                            percent(*best.limit_share));
    return text;
}

std::string largest_gain(const Report& report) {
    const Group* most = nullptr;
    for (const Group& group : report.groups)
        if (has_best(group) && group.rows.front().speedup.value_or(0) > 1 &&
            (!most || *group.rows.front().speedup > *most->rows.front().speedup))
            most = &group;
    if (!most) return "";
    const Row& best = most->rows.front();
    const std::string baseline = most->baseline.empty() ? "the baseline" : most->baseline;
    if (report.groups.size() == 1)
        return fmt::format("{} is {:.2f} times as fast as {}.", best.variant, *best.speedup,
                           baseline);
    return fmt::format(
        "{} has the largest gain over its baseline: {} is {:.2f} times as fast as {}.",
        most->title(), best.variant, *best.speedup, baseline);
}

std::string widest_spread(const Report& report) {
    const Group* where = nullptr;
    const Row* widest = nullptr;
    double spread = -1;
    std::size_t timed = 0, wide = 0;
    for (const Group& group : report.groups)
        for (const Row& row : group.rows) {
            if (row.rank == 0 || !row.iqr_ns || row.sample_count < min_samples) continue;
            const double share = *row.iqr_ns / *row.median_ns;
            ++timed;
            wide += share > wide_spread ? 1 : 0;
            if (share <= spread) continue;
            spread = share;
            widest = &row;
            where = &group;
        }
    if (!widest) return "";
    if (timed == 1)
        return fmt::format("IQR of {}: {} of the median.", widest->variant, percent(spread));
    return fmt::format("Noisiest: {} of {} (IQR {} of the median). The IQR exceeds {} in {} of {}.",
                       widest->variant, where->title(), percent(spread), percent(wide_spread, 0),
                       wide, counted(timed, "timed case"));
}

std::string verification(const Report& report) {
    std::size_t cases = 0, passed = 0, failed = 0, skipped = 0;
    std::int64_t cells = 0;
    for (const Group& group : report.groups) {
        cases += group.rows.size();
        failed += group.count(Status::failed);
        skipped += group.count(Status::skipped);
        for (const Row& row : group.rows) {
            if (row.verification != Verification::Status::passed) continue;
            ++passed;
            cells += row.compared_cells;
        }
    }
    if (cases == 0) return "";
    if (passed + failed == 0) return "No case was verified.";
    return fmt::format(
        "{} of {} verified: {} cells equal the reference within the stated tolerance. {} failed, "
        "{} skipped.",
        passed, counted(cases, "case"), in_words(cells), failed, skipped);
}

}  // namespace

std::size_t opening_group(const Report& report) {
    const auto found = std::ranges::max_element(report.groups, {}, [](const Group& group) {
        return std::pair(group.rows.size(), group.newest);
    });
    return found == report.groups.end() ? 0
                                        : static_cast<std::size_t>(found - report.groups.begin());
}

namespace {

// "12 commits with results of 2 machines".
std::string history_lead(const Report& report) {
    std::set<std::string> commits;
    for (const history::MachineTrend& machine : report.history)
        for (const history::Commit& commit : machine.commits) commits.insert(commit.text());
    return fmt::format("{} with results of {}", counted(commits.size(), "commit"),
                       counted(report.history.size(), "machine"));
}

}  // namespace

std::string lead(const Report& report) {
    std::size_t cases = 0;
    for (const Group& group : report.groups) cases += group.rows.size();
    const std::string files = counted(report.files.size(), "file");
    // "scaling series" has no separate plural.
    const std::string scalings = fmt::format("{} scaling series", report.scalings.size());
    if (report.files.empty()) return history_lead(report) + ".";
    if (report.groups.empty()) return fmt::format("{} in {}.", scalings, files);
    std::string text = fmt::format("{} in {}, {}", counted(cases, "case"), files,
                                   counted(report.groups.size(), "data set"));
    if (!report.scalings.empty()) text += ", " + scalings;
    if (!report.devices.empty()) text += fmt::format(", on {}", fmt::join(report.devices, ", "));
    if (!report.history.empty()) text += "; " + history_lead(report);
    return text + ".";
}

std::vector<std::string> findings(const Report& report) {
    std::vector<std::string> sentences;
    const auto add = [&](std::string sentence) {
        if (!sentence.empty()) sentences.push_back(std::move(sentence));
    };
    if (!report.groups.empty()) {
        const Group& opening = report.groups[opening_group(report)];
        if (has_best(opening)) {
            add(fastest(opening));
            add(limit(opening.rows.front()));
        }
    }
    add(largest_gain(report));
    add(widest_spread(report));
    add(verification(report));
    return sentences;
}

}  // namespace camber::report
