#include "harness/cli/scale/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/fits.hpp"
#include "analysis/scaling/series.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/result_text.hpp"

namespace camber {

namespace {

using scaling::Analysis;
using scaling::PointAnalysis;

std::string fixed(const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string time(const std::optional<double>& ns) {
    return ns ? duration(*ns) : "-";
}

std::string error_of_time(const PointAnalysis& point) {
    return point.sigma_ns ? percent(*point.sigma_ns / point.median_ns, 2) : "-";
}

bool any(const Analysis& analysis, std::optional<double> PointAnalysis::*member) {
    return std::ranges::any_of(
        analysis.points, [&](const PointAnalysis& point) { return (point.*member).has_value(); });
}

std::string plural(scaling::Unit unit) {
    switch (unit) {
        case scaling::Unit::sm:
            return "SMs";
        case scaling::Unit::thread:
            return "threads";
        case scaling::Unit::gpu:
            return "GPUs";
        case scaling::Unit::rank:
            return "ranks";
    }
    return "units";
}

// True if p is not simply the number of units.
bool counts_units(const Analysis& analysis) {
    return std::ranges::any_of(analysis.points,
                               [](const PointAnalysis& point) { return point.p != point.units; });
}

// A column of the table: its heading, and its text for a point.
struct Column {
    std::string heading;
    std::string (*text)(const PointAnalysis& point);
};

std::vector<Column> columns(const Analysis& analysis) {
    std::vector<Column> columns;
    const auto add = [&](const char* heading, std::string (*text)(const PointAnalysis& point)) {
        columns.push_back({heading, text});
    };
    add("p", [](const PointAnalysis& point) { return fmt::format("{:g}", point.p); });
    if (counts_units(analysis))
        columns.push_back({plural(analysis.series.unit), [](const PointAnalysis& point) {
                               return fmt::format("{}", point.units);
                           }});
    add("n", [](const PointAnalysis& point) { return fmt::format("{}", point.n); });
    add("T(p)", [](const PointAnalysis& point) { return duration(point.median_ns); });
    add("+-", error_of_time);
    if (analysis.series.mode == scaling::Mode::weak) {
        add("E weak", [](const PointAnalysis& point) { return percent(point.weak_efficiency); });
        add("scaled S", [](const PointAnalysis& point) { return fixed(point.scaled_speedup, 3); });
        add("s", [](const PointAnalysis& point) { return fixed(point.serial_share, 4); });
    } else {
        add("S", [](const PointAnalysis& point) { return fixed(point.speedup, 3); });
        add("E", [](const PointAnalysis& point) { return percent(point.efficiency); });
        add("e", [](const PointAnalysis& point) { return fixed(point.karp_flatt, 4); });
        add("+-", [](const PointAnalysis& point) { return fixed(point.karp_flatt_sigma, 4); });
        add("cost", [](const PointAnalysis& point) { return percent(point.marginal_cost); });
        if (any(analysis, &PointAnalysis::amdahl_speedup))
            add("S Amdahl",
                [](const PointAnalysis& point) { return fixed(point.amdahl_speedup, 3); });
        if (any(analysis, &PointAnalysis::predicted_speedup))
            add("S pred", [](const PointAnalysis& point) {
                return fixed(point.predicted_speedup, 3) + (point.exceeds_prediction ? " !" : "");
            });
    }
    if (any(analysis, &PointAnalysis::share_of_copy))
        add("of copy", [](const PointAnalysis& point) { return percent(point.share_of_copy); });
    return columns;
}

std::string points_table(const Analysis& analysis) {
    const std::vector<Column> shown = columns(analysis);
    std::vector<std::string> header;
    for (const Column& column : shown) header.push_back(column.heading);
    TextTable table(header, 0);
    for (const PointAnalysis& point : analysis.points) {
        std::vector<std::string> row;
        for (const Column& column : shown) row.push_back(column.text(point));
        table.add(row);
    }
    return table.plain();
}

std::string with_error(double value, const std::vector<double>& errors, std::size_t i) {
    return errors.empty() ? fmt::format("{:.4f}", value)
                          : fmt::format("{:.4f} +- {:.4f}", value, errors[i]);
}

std::string fits_table(const scaling::Fits& fits) {
    TextTable table({"fit", "a (serial)", "b (parallel)", "c (per unit)", "residual"});
    const auto add = [&](const char* name, const scaling::LinearFit& fit, int a, int b, int c) {
        const auto cell = [&](int i) {
            const auto index = static_cast<std::size_t>(i);
            return i < 0 ? std::string("-")
                         : with_error(fit.coefficients[index], fit.standard_errors, index);
        };
        table.add({name, cell(a), cell(b), cell(c), fmt::format("{:.5f}", fit.max_abs_residual)});
    };
    if (const auto& fit = fits.three_term)
        table.add({"T/T1 = a + b/p + c (p - 1)", with_error(fit->a, {fit->standard_error_a}, 0),
                   with_error(fit->b, {fit->standard_error_b}, 0),
                   with_error(fit->c, {fit->standard_error_c}, 0),
                   fmt::format("{:.5f}", fit->max_abs_residual)});
    if (fits.amdahl) add("T/T1 = a + b/p (Amdahl)", *fits.amdahl, 0, 1, -1);
    if (fits.linear_overhead) add("T/T1 = 1/p + c (p - 1)", *fits.linear_overhead, -1, -1, 0);
    if (fits.karp_flatt_line) add("e = a + c p", *fits.karp_flatt_line, 0, -1, 1);
    if (fits.weighted_karp_flatt_line)
        add("e = a + c p, weighted", *fits.weighted_karp_flatt_line, 0, -1, 1);
    return table.plain();
}

// Times of devices that worked together, from timelines; "" if there are none.
std::string places_table(const Analysis& analysis) {
    TextTable table({"p", "exposed transfer", "wait at barriers", "imbalance"});
    for (const PointAnalysis& point : analysis.points) {
        const scaling::PlaceTimes& places = point.places;
        if (!places.exposed_transfer_ns && !places.barrier_wait_ns && !places.imbalance) continue;
        table.add({fmt::format("{:g}", point.p), time(places.exposed_transfer_ns),
                   time(places.barrier_wait_ns), fixed(places.imbalance, 3)});
    }
    return table.empty() ? "" : "\n" + table.plain();
}

// Projected times for more GPUs or ranks than were measured; "" for units within one device or CPU.
std::string projections_table(const Analysis& analysis) {
    if (analysis.series.unit != scaling::Unit::gpu && analysis.series.unit != scaling::Unit::rank)
        return "";
    const auto projections = scaling::projections(analysis);
    if (projections.empty()) return "";
    TextTable table(
        {"p, extrapolated", "E by the fitted serial part", "E by the fitted cost per unit"});
    for (const scaling::Projection& one : projections)
        table.add(
            {fmt::format("{}", one.p), percent(one.by_serial_part), percent(one.by_unit_cost)});
    return "\n" + table.plain();
}

std::string size_text(const scaling::Series& series) {
    if (series.columns == 0) return "";  // from another program's file
    return fmt::format("{}x{}{}, ", series.columns, series.rows,
                       series.mode == scaling::Mode::weak ? " per unit" : "");
}

}  // namespace

std::string unit_words(int count, scaling::Unit unit) {
    const std::string units = plural(unit);
    return fmt::format("{} {}", count, count == 1 ? units.substr(0, units.size() - 1) : units);
}

std::string scaling_page(const Analysis& analysis) {
    const scaling::Series& series = analysis.series;
    std::string page =
        fmt::format("{}, {}{}{} scaling over {}\n", series.variant, size_text(series),
                    series.machine.empty() ? "" : series.machine + ", ", scaling::key(series.mode),
                    plural(series.unit));
    if (series.unit_size != 1)
        page += fmt::format("p = 1 is {} {}\n", series.unit_size, plural(series.unit));
    page += "\n" + points_table(analysis);
    page += places_table(analysis);
    if (std::ranges::any_of(analysis.points, &PointAnalysis::exceeds_prediction))
        page += "!: above the predicted speedup, which is therefore not an upper bound\n";
    if (series.mode == scaling::Mode::strong)
        page += "\n" + fits_table(analysis.fits) + projections_table(analysis);
    page += "\n" + wrapped(analysis.reading, page_width(), 0);
    if (analysis.observed_d_max)
        page += (*analysis.observed_d_max > 1
                     ? fmt::format("Largest measured p that shortens the time: {:g}.",
                                   *analysis.observed_d_max)
                     : std::string("No measured p shortens the time.")) +
                " Costs are fractions of T1 per additional unit of p.\n";
    if (series.assumed_relative_error)
        page += fmt::format("Assumed standard error of times without samples: {:g} %.\n",
                            100 * *series.assumed_relative_error);
    for (const std::string& note : series.notes)
        page += wrapped("Note: " + note + ".", page_width(), 0);
    return page;
}

std::vector<scaling::Analysis> conclude(const results::Document& document, scaling::Mode mode) {
    std::vector<scaling::Analysis> all;
    std::string separator;
    for (scaling::Series& series : scaling::series_of_results(document, mode)) {
        all.push_back(scaling::analyse(std::move(series)));
        fmt::print("{}{}", separator, scaling_page(all.back()));
        separator = "\n";
    }
    for (const results::CaseRecord& one : document.cases)
        if (one.status != results::Status::ok)
            fmt::print("{} {}: {}\n", one.name,
                       one.status == results::Status::failed ? "failed" : "was skipped",
                       one.reason);
    return all;
}

}  // namespace camber
