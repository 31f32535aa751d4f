#include "analysis/published/measured_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "analysis/published/measured.hpp"
#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/results_series.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

std::string size_text(Size size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

// Without the words of its exchange.
std::string variant_alone(const scaling::Series& series) {
    return series.variant.substr(0, series.variant.find(", "));
}

std::vector<scaling::Series> series_in(const results::Document& document) {
    try {
        return scaling::series_of_results(document);
    } catch (const Error&) {
        return {};  // of something else
    }
}

// Cases of the table's problem that `camber run` measured on one unit and on several, perhaps in
// different files; nullopt where only one file has some.
std::optional<results::Document> runs_of(const Table& table,
                                         const std::vector<results::Document>& documents) {
    std::optional<results::Document> all;
    int files = 0;
    for (const results::Document& document : documents) {
        std::vector<results::CaseRecord> found;
        for (const results::CaseRecord& record : document.cases)
            if (!record.identity.scaling && record.timed() &&
                std::ranges::find(table.here.variants, record.identity.variant) !=
                    table.here.variants.end() &&
                size_text(record.identity.size) == table.here.size &&
                has_parameters(record.identity, table.here.parameters))
                found.push_back(record);
        if (found.empty()) continue;
        ++files;
        if (all) {
            if (all->source != document.source) all->source += " and " + document.source;
        } else {
            all = document;
            all->cases.clear();
        }
        std::ranges::move(found, std::back_inserter(all->cases));
    }
    return files > 1 ? all : std::nullopt;
}

}  // namespace

std::vector<MeasuredSeries> measured_series(const Table& table,
                                            const std::vector<results::Document>& documents) {
    std::vector<MeasuredSeries> all;
    if (!table.scaling || table.here.variants.empty()) return all;
    const auto add = [&](const results::Document& document) {
        for (scaling::Series& series : series_in(document))
            if (series.unit == table.scaling->unit &&
                std::ranges::find(table.here.variants, variant_alone(series)) !=
                    table.here.variants.end())
                all.push_back({document.source, scaling::analyse(std::move(series))});
    };
    const auto together = runs_of(table, documents);
    if (together) add(*together);
    for (const results::Document& document : documents) {
        results::Document own = document;
        std::erase_if(own.cases, [&](const results::CaseRecord& record) {
            if (record.identity.scaling) return false;
            return together || !has_parameters(record.identity, table.here.parameters);
        });
        add(own);
    }
    const auto size = [](const MeasuredSeries& one) {
        return fmt::format("{}x{}", one.analysis.series.columns, one.analysis.series.rows);
    };
    const auto cells = [](const MeasuredSeries& one) {
        return one.analysis.series.columns * one.analysis.series.rows;
    };
    const bool has_own = std::ranges::any_of(
        all, [&](const MeasuredSeries& one) { return size(one) == table.here.size; });
    long most = 0;
    for (const MeasuredSeries& one : all) most = std::max(most, cells(one));
    std::erase_if(all, [&](const MeasuredSeries& one) {
        return has_own ? size(one) != table.here.size : cells(one) != most;
    });
    return all;
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
