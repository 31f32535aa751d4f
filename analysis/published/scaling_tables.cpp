#include "analysis/published/scaling_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/base/error.hpp"

namespace camber::published {

namespace {

scaling::Series series_of(const Table& table, const ScalingRows& rows, bool from_rates) {
    const auto values_of = [&](const std::string& name) -> const Row& {
        const Row* row = table.row(name);
        if (row == nullptr)
            throw Error(ExitCode::usage, fmt::format("table {} has no row '{}'", table.id, name));
        return *row;
    };
    const Row& row = values_of(from_rates ? rows.rates : rows.times);
    const Row& first = rows.first_from.empty() ? row : values_of(rows.first_from);
    scaling::Series series;
    series.workload = table.title;
    series.variant = rows.name;
    series.machine = table.hardware.front();
    series.unit = table.scaling->unit;
    series.assumed_relative_error = table.scaling->assumed_relative_error;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        const auto& entry = i == 0 ? first.values[i] : row.values[i];
        if (!entry || !entry->reading) continue;
        constexpr double nanoseconds = 1e9;
        scaling::Point point;
        point.units = std::stoi(table.columns[i].name);
        // Speedups need no more of a rate than that a time is its inverse.
        point.median_ns = nanoseconds * (from_rates ? 1 / *entry->reading : *entry->reading);
        series.points.push_back(point);
    }
    for (const Claim& claim : table.claims)
        if (const auto* of = std::get_if<SeriesClaim>(&claim.what);
            of && of->of == SeriesClaim::Of::serial_share && of->series == series.variant)
            series.predicted_serial_share = of->value;
    return series;
}

}  // namespace

std::vector<PublishedSeries> scaling_series(const Table& table) {
    std::vector<PublishedSeries> all;
    if (!table.scaling) return all;
    for (const ScalingRows& rows : table.scaling->series)
        all.push_back(scaling_series(table, rows.name, rows.times.empty()));
    return all;
}

std::size_t most_units(const Table& table) {
    std::size_t most = 0;
    for (const Column& column : table.columns)
        most = std::max<std::size_t>(most, std::stoul(column.name));
    return most;
}

PublishedSeries scaling_series(const Table& table, const std::string& name, bool from_rates) {
    if (table.scaling)
        for (const ScalingRows& rows : table.scaling->series)
            if (rows.name == name && !(from_rates ? rows.rates : rows.times).empty())
                return {name, from_rates, scaling::analyse(series_of(table, rows, from_rates))};
    throw Error(ExitCode::usage, fmt::format("table {} has no series '{}' of {}", table.id, name,
                                             from_rates ? "rates" : "times"));
}

}  // namespace camber::published
