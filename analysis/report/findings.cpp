#include "analysis/report/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/report/summary.hpp"
#include "harness/base/text.hpp"

namespace camber::report {

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
    // A share above 100 % needs its reason beside it.
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

std::string lead(const Report& report) {
    std::size_t cases = 0;
    for (const Group& group : report.groups) cases += group.rows.size();
    const std::string files = counted(report.files.size(), "file");
    // The plural of "scaling series" is the same.
    const std::string scalings = fmt::format("{} scaling series", report.scalings.size());
    if (report.groups.empty()) return fmt::format("{} in {}.", scalings, files);
    std::string text = fmt::format("{} in {}, {}", counted(cases, "case"), files,
                                   counted(report.groups.size(), "data set"));
    if (!report.scalings.empty()) text += ", " + scalings;
    if (!report.devices.empty()) text += fmt::format(", on {}", fmt::join(report.devices, ", "));
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
