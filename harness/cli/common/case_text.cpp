#include "harness/cli/common/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "analysis/profile/figures.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {

std::string row_of(const results::CaseRecord& record) {
    if (record.status != results::Status::ok || !record.derived || !record.samples) return "";
    const auto& visits = record.samples->visits;
    if (visits.empty() || visits.front().round > 0) return "";
    const double bandwidth = record.derived->application_bandwidth_bytes_per_second;
    return fmt::format("  {:<50} {:>12.3f} us{}", record.identity.variant,
                       record.real_time_ns * 1e-3,
                       bandwidth > 0 ? fmt::format(" {:>9.1f} GB/s", bandwidth * 1e-9) : "");
}

std::string line_of(const results::WallTime& wall) {
    constexpr double least_share = 0.01;
    std::string parts;
    double other = wall.other;
    for (const results::WallTimePart& part : results::wall_time_parts) {
        const double seconds = wall.*part.seconds;
        if (part.seconds == &results::WallTime::other) continue;
        if (seconds < least_share * wall.total)
            other += seconds;
        else
            parts += fmt::format("{} {:.2f}, ", part.name, seconds);
    }
    return fmt::format("time: {:.1f} s ({}other {:.2f})", wall.total, parts, other);
}

namespace {

using results::CaseRecord;

// " (at most 0.01)" if there is such a limit.
std::string limit(const std::optional<double>& value, const char* bound) {
    return value ? fmt::format(" ({} {:.3g})", bound, *value) : "";
}

// Figures of a comparison of two flows, without their masses.
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

namespace {

using profile::KernelTraffic;

std::string name_of(const KernelTraffic& kernel) {
    return kernel.launches == 1 ? kernel.name
                                : fmt::format("{} ({} launches)", kernel.name, kernel.launches);
}

std::string verdict(const KernelTraffic& kernel) {
    if (kernel.comparisons.empty()) return "none";
    if (kernel.estimate) return "estimate";
    return all_agree(kernel.comparisons) ? "agrees" : "differs";
}

std::string counted(const KernelTraffic& kernel, const char* metric) {
    const auto found = kernel.counters.find(metric);
    return found == kernel.counters.end() ? "-" : fmt::format("{:.0f}", found->second);
}

std::vector<std::string> row_of(const KernelTraffic& kernel) {
    return {name_of(kernel),
            verdict(kernel),
            percent(kernel.share),
            kernel.dram_bytes ? profile::quantity(*kernel.dram_bytes) + "B" : "-",
            counted(kernel, metric::global_load_requests),
            counted(kernel, metric::global_load_sectors),
            counted(kernel, metric::global_store_requests),
            counted(kernel, metric::global_store_sectors)};
}

std::string indented(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) result += "  " + line + "\n";
    return result;
}

}  // namespace

std::string kernel_table(const std::vector<KernelTraffic>& kernels) {
    if (kernels.empty()) return "";
    TextTable table({"kernel", "model", "time", "DRAM", "loads", "sectors", "stores", "sectors"},
                    2);
    std::string differences;
    for (const KernelTraffic& kernel : kernels) {
        table.add(row_of(kernel));
        for (const CounterComparison& pair : kernel.comparisons) {
            if (pair.agrees || kernel.estimate) continue;
            std::string quantity = pair.quantity;
            std::ranges::replace(quantity, '_', ' ');
            differences += fmt::format("{}: {:.0f} {}, predicted {:.0f}\n", kernel.name,
                                       pair.measured, quantity, pair.predicted);
        }
    }
    return indented(table.plain() + differences);
}

std::string kernels_of_fastest(const results::Document& document) {
    const results::CaseRecord* fastest = nullptr;
    for (const results::CaseRecord& record : document.cases) {
        if (record.kernel_counters.size() < 2) continue;
        if (!fastest || record.real_time_ns < fastest->real_time_ns) fastest = &record;
    }
    if (!fastest) return "";
    return fmt::format("kernels of a launch of {}, by counters:\n{}", fastest->identity.variant,
                       kernel_table(profile::kernel_traffic(fastest->kernel_counters)));
}

}  // namespace camber
