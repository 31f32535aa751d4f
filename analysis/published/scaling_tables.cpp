#include "analysis/published/scaling_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analysis/published/measured.hpp"
#include "analysis/scaling/series.hpp"
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
        // Speedups depend only on ratios of times, so that the inverse of a rate serves as a time.
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

namespace {

std::optional<Entry> entry_of_one(const Table& table, const std::string& row) {
    if (row.empty() || !table.row(row)) return std::nullopt;
    return table.row(row)->values[table.column("1")];
}

// Table parameters, overridden by those of the larger problem.
std::vector<std::string> parameters_of(const Table& table, const LargerProblem& larger) {
    std::vector<std::string> all = larger.parameters;
    for (const std::string& own : table.here.parameters) {
        const std::string name = own.substr(0, own.find('=') + 1);
        if (std::ranges::none_of(larger.parameters,
                                 [&](const std::string& other) { return other.starts_with(name); }))
            all.push_back(own);
    }
    return all;
}

bool is_of(const Table& table, const LargerProblem& problem, const std::string& variant,
           const results::CaseRecord& record) {
    const results::Identity& identity = record.identity;
    return record.status == results::Status::ok && record.timed() && identity.is_usual() &&
           identity.backend == Backend::cuda && identity.variant == variant &&
           (table.here.cell.empty() || identity.cell == table.here.cell) &&
           fmt::format("{}x{}", identity.size.columns, identity.size.rows) == problem.size &&
           has_parameters(identity, problem.parameters);
}

}  // namespace

PrintedOneGpu printed_one_gpu(const Table& table) {
    PrintedOneGpu printed;
    if (!table.scaling || table.scaling->series.empty()) return printed;
    const ScalingRows& rows = table.scaling->series.front();
    printed.rate = entry_of_one(table, rows.rates);
    printed.seconds = entry_of_one(table, rows.times);
    return printed;
}

std::vector<OneGpu> one_gpu(const Table& table, const std::vector<results::Document>& documents) {
    std::vector<OneGpu> all;
    std::vector<LargerProblem> problems{{table.here.size, table.here.parameters}};
    for (const LargerProblem& larger : table.here.larger)
        problems.push_back({larger.size, parameters_of(table, larger)});
    for (const LargerProblem& problem : problems)
        for (const std::string& variant : table.here.one_gpu) {
            std::optional<OneGpu> longest;
            for (const results::Document& document : documents)
                for (const results::CaseRecord& record : document.cases) {
                    if (!is_of(table, problem, variant, record)) continue;
                    const int iterations = record.samples->generations_per_sample;
                    // Developed water first: the source's run is mostly that.
                    const double begin = record.identity.begin.value_or(0);
                    if (longest && std::pair(longest->work.begin, longest->iterations) >=
                                       std::pair(begin, iterations))
                        continue;
                    const double ns = typical_time(samples_of(record));
                    longest = {variant,
                               document.source,
                               record.identity.size.cells(),
                               iterations,
                               ns,
                               static_cast<double>(record.identity.size.cells()) * 1e6 / ns,
                               std::nullopt,
                               work_of(document, record)};
                    if (table.here.printed_iterations > 0 && problem.size == table.here.size)
                        longest->seconds = table.here.printed_iterations * ns * 1e-9;
                }
            if (longest) all.push_back(std::move(*longest));
        }
    return all;
}

}  // namespace camber::published
