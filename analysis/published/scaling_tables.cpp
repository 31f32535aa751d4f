#include "analysis/published/scaling_tables.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber::published {

namespace {

scaling::Series series_of(const Table& table, const Json& description, bool from_rates) {
    const char* kind = from_rates ? "rates" : "times";
    const auto values_of = [&](const Json& name) -> const Row& {
        const Row* row = table.row(name.get<std::string>());
        if (row == nullptr)
            throw Error(ExitCode::usage,
                        fmt::format("table {} has no row {}", table.id, name.dump()));
        return *row;
    };
    const Row& row = values_of(description.at(kind));
    const Row& first =
        description.contains("first_from") ? values_of(description["first_from"]) : row;
    scaling::Series series;
    series.workload = table.title;
    series.variant = description.at("name").get<std::string>();
    series.machine = table.hardware.front();
    series.unit = scaling::parse_unit(table.scaling.at("unit").get<std::string>());
    if (table.scaling.contains("assumed_relative_error"))
        series.assumed_relative_error = table.scaling["assumed_relative_error"].get<double>();
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
    for (const Json& claim : table.claims)
        if (claim.at("kind") == "serial_share" && claim.at("series") == series.variant)
            series.predicted_serial_share = claim.at("value").get<double>();
    return series;
}

const Json& described(const Table& table) {
    static const Json none = Json::array();
    return table.scaling.contains("series") ? table.scaling["series"] : none;
}

}  // namespace

std::vector<PublishedSeries> scaling_series(const Table& table) {
    std::vector<PublishedSeries> all;
    for (const Json& description : described(table))
        all.push_back(scaling_series(table, description.at("name").get<std::string>(),
                                     !description.contains("times")));
    return all;
}

PublishedSeries scaling_series(const Table& table, const std::string& name, bool from_rates) {
    for (const Json& description : described(table))
        if (description.at("name") == name && description.contains(from_rates ? "rates" : "times"))
            return {name, from_rates, scaling::analyse(series_of(table, description, from_rates))};
    throw Error(ExitCode::usage, fmt::format("table {} has no series '{}' of {}", table.id, name,
                                             from_rates ? "rates" : "times"));
}

}  // namespace camber::published
