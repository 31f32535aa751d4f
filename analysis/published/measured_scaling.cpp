#include "analysis/published/measured_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/results_series.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

// Without the words of its exchange.
std::string variant_alone(const scaling::Series& series) {
    return series.variant.substr(0, series.variant.find(", "));
}

// A file of a series has one exchange; where a run has several, the variants' names end in theirs.
std::string balance_of(const results::Document& document, const scaling::Series& series) {
    for (const results::CaseRecord& record : document.cases) {
        const auto& group = record.identity.group;
        if (!group || !group->balancing || record.identity.variant != variant_alone(series))
            continue;
        if (record.identity.scaling ||
            series.variant == record.identity.variant + ", " + group->exchange_words())
            return group->balancing->rule;
    }
    return "";
}

std::vector<scaling::Series> series_in(const results::Document& document) {
    try {
        return scaling::series_of_results(document);
    } catch (const Error&) {
        return {};  // of something else
    }
}

}  // namespace

std::vector<MeasuredSeries> measured_series(const Table& table,
                                            const std::vector<results::Document>& documents) {
    std::vector<MeasuredSeries> all;
    if (!table.scaling || table.here.variants.empty()) return all;
    for (const results::Document& document : documents)
        for (scaling::Series& series : series_in(document))
            if (series.unit == table.scaling->unit &&
                std::ranges::find(table.here.variants, variant_alone(series)) !=
                    table.here.variants.end()) {
                const std::string balance = balance_of(document, series);
                all.push_back({document.source, scaling::analyse(std::move(series)), balance});
            }
    const auto size = [](const MeasuredSeries& one) {
        return fmt::format("{}x{}", one.analysis.series.columns, one.analysis.series.rows);
    };
    const auto cells = [](const MeasuredSeries& one) {
        return one.analysis.series.columns * one.analysis.series.rows;
    };
    const auto is_named = [&](const MeasuredSeries& one) {
        return size(one) == table.here.size ||
               std::ranges::find(table.here.larger, size(one), &LargerProblem::size) !=
                   table.here.larger.end();
    };
    const bool has_own = std::ranges::any_of(all, is_named);
    long most = 0;
    for (const MeasuredSeries& one : all) most = std::max(most, cells(one));
    std::erase_if(all, [&](const MeasuredSeries& one) {
        return has_own ? !is_named(one) : cells(one) != most;
    });
    return all;
}

const ScalingRows& rows_beside(const Table& table, const MeasuredSeries& measured) {
    const std::vector<ScalingRows>& all = table.scaling->series;
    const auto found = std::ranges::find_if(all, [&](const ScalingRows& rows) {
        return rows.balance.empty() == measured.balance.empty();
    });
    return found == all.end() ? all.front() : *found;
}

std::string cost_of_units(const scaling::Analysis& analysis) {
    const double alone = analysis.points.front().median_ns;
    const scaling::PointAnalysis& last = analysis.points.back();
    if (!last.cost_ns) return "";
    // Of each unit beside the first.
    const double cost = *last.cost_ns / (last.p - 1);
    if (cost <= 0)
        return fmt::format("{} units lose nothing against an equal division of the time.",
                           last.units);
    // A further unit gains T / (D (D - 1)).
    int units = 1;
    while (alone / (static_cast<double>(units) * (units + 1)) > cost) ++units;
    return fmt::format(
        "{} units take {:.1f} us a step more than an equal division of the time on one, {:.1f} us "
        "for each unit that was added. A D-th unit gains T/(D (D - 1)), so that at this cost it "
        "pays up to {}.",
        last.units, *last.cost_ns * 1e-3, cost * 1e-3,
        units == 1 ? std::string("none") : fmt::format("D = {}", units));
}

}  // namespace camber::published
