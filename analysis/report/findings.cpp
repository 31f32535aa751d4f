#include "analysis/report/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/report/summary.hpp"
#include "harness/base/number_text.hpp"

namespace camber::report {

namespace {

using results::Status;

constexpr std::size_t least_samples = 4;  // for quartiles to say something
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
    std::string text = fmt::format("{} is the fastest of {} of {}: ", best.variant,
                                   counted(group.rows.size(), "variant"), group.title());
    if (best.application_bytes_per_second)
        text += fmt::format("{:.1f} GB/s of application bandwidth",
                            *best.application_bytes_per_second * 1e-9);
    else
        text += duration(*best.median_ns);
    if (best.share_of_copy)
        text += fmt::format(", {} of this device's copy bandwidth", percent(*best.share_of_copy));
    return text + ".";
}

std::string limit(const Row& best) {
    std::string text =
        best.limited_by.empty()
            ? "Its limit is not known without more counters, which camber profile reads."
            : fmt::format("Its limit is {}.", best.limited_by);
    if (best.limit_share)
        text += fmt::format(" It reaches {} of the nearest limit that was measured.",
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
    return fmt::format("The largest gain over a baseline has {}: {} is {:.2f} times as fast as {}.",
                       most->title(), best.variant, *best.speedup,
                       most->baseline.empty() ? "the baseline" : most->baseline);
}

std::string widest_spread(const Report& report) {
    const Group* where = nullptr;
    const Row* widest = nullptr;
    double spread = -1;
    std::size_t timed = 0, wide = 0;
    for (const Group& group : report.groups)
        for (const Row& row : group.rows) {
            if (row.rank == 0 || !row.iqr_ns || row.sample_count < least_samples) continue;
            const double share = *row.iqr_ns / *row.median_ns;
            ++timed;
            wide += share > wide_spread ? 1 : 0;
            if (share <= spread) continue;
            spread = share;
            widest = &row;
            where = &group;
        }
    if (!widest) return "";
    return fmt::format("Noisiest: {} ({}), IQR {} of the median. The IQR exceeds {} in {} of {}.",
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
        "{} of {} verified: {} cells were compared with the reference, each within its stated "
        "tolerance. {} failed, {} skipped.",
        passed, cases == 1 ? "1 case is" : fmt::format("{} cases are", cases), in_words(cells),
        failed == 0 ? "None" : std::to_string(failed),
        skipped == 0 ? "none was" : fmt::format("{} {}", skipped, skipped == 1 ? "was" : "were"));
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
    std::string text =
        fmt::format("{} in {}, {}", counted(cases, "case"), counted(report.files.size(), "file"),
                    counted(report.groups.size(), "data set"));
    if (!report.scalings.empty())
        text += fmt::format(", {}", counted(report.scalings.size(), "scaling"));
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
