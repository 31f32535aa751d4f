#include "harness/cli/common/flow_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace camber {
namespace {

using results::CaseRecord;

// " (at most 0.01)" where there is such a limit.
std::string limit(const std::optional<double>& value, const char* bound) {
    return value ? fmt::format(" ({} {:.3g})", bound, *value) : "";
}

// The figures that every comparison of two flows has, without their masses.
std::string figures(const FlowStatistics& cells, const FlowLimits& limits) {
    return fmt::format(
        "Jaccard {:.4f}{}, {:.1f} % of cells within 10 %, largest difference {:.3g} m{}, {} cells "
        "differ",
        cells.jaccard, limit(limits.jaccard, "at least"), 100 * cells.share_within_tenth,
        cells.largest_difference, limit(limits.largest_difference, "at most"),
        cells.differing_cells);
}

std::string times(const FlowDifference& difference, const FlowLimits& limits) {
    if (!difference.time_difference) return "";
    return fmt::format(", times by {:.2g}{}", *difference.time_difference,
                       limit(limits.time_difference, "at most"));
}

std::string figures(const FlowDifference& difference, const FlowLimits& limits) {
    return fmt::format("{}, mass error {:.2g}{}{}", figures(difference.cells, limits),
                       difference.mass_error, limit(limits.mass_error, "at most"),
                       times(difference, limits));
}

std::string figures(const FlowSpread& spread) {
    return fmt::format("{}, masses by {:.2g}{}", figures(spread.worst.cells, {}),
                       spread.worst.mass_difference, times(spread.worst, {}));
}

std::string fit_notes(const std::vector<const CaseRecord*>& cases) {
    std::vector<std::pair<std::string, double>> fits;
    for (const CaseRecord* record : cases)
        if (const auto& verification = record->verification;
            verification && verification->statistics && verification->statistics->event_fit)
            fits.emplace_back(record->identity.variant, *verification->statistics->event_fit);
    if (fits.empty()) return "";
    const auto line = [](double fit, const std::string& of) {
        return fmt::format(
            "fit with the real event: {:.4f}{} (cells that both cover / cells that either "
            "covers)\n",
            fit, of);
    };
    const bool same = std::ranges::all_of(
        fits, [&](const auto& fit) { return fit.second == fits.front().second; });
    if (same) return line(fits.front().second, "");
    std::string text;
    for (const auto& [variant, fit] : fits) text += line(fit, ", " + variant);
    return text;
}

}  // namespace

bool decided_by_statistics(const CaseRecord& record) {
    return record.verification && record.verification->by_statistics();
}

std::string flow_notes(const std::vector<const CaseRecord*>& cases) {
    std::string text;
    for (const CaseRecord* record : cases) {
        if (!record->verification) continue;
        const Verification& verification = *record->verification;
        const std::string& variant = record->identity.variant;
        if (verification.by_statistics() && verification.statistics && verification.limits)
            text += fmt::format("verified by statistics: {}: {}\n", variant,
                                figures(*verification.statistics, *verification.limits));
        if (verification.spread)
            text += fmt::format("spread of {} runs: {}: {}\n", verification.spread->runs, variant,
                                figures(*verification.spread));
    }
    return text + fit_notes(cases);
}

}  // namespace camber
