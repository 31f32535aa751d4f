#include "analysis/published/one_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/published/fate.hpp"
#include "analysis/published/measured.hpp"

namespace camber::published {

namespace {

std::optional<Entry> entry_of_one(const Table& table, const std::string& row) {
    if (row.empty() || !table.row(row)) return std::nullopt;
    return table.row(row)->values[table.column("1")];
}

// With those of the larger problem in the place of the table's.
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

PrintedPlace printed_place(const Table& table) {
    PrintedPlace printed;
    if (!table.scaling || table.scaling->series.empty()) return printed;
    const ScalingRows& rows = table.scaling->series.front();
    printed.rate = entry_of_one(table, rows.rates);
    printed.seconds = entry_of_one(table, rows.times);
    return printed;
}

std::vector<OnePlace> one_place(const Table& table,
                                const std::vector<results::Document>& documents) {
    std::vector<OnePlace> all;
    std::vector<LargerProblem> problems{{table.here.size, table.here.parameters}};
    for (const LargerProblem& larger : table.here.larger)
        problems.push_back({larger.size, parameters_of(table, larger)});
    for (const LargerProblem& problem : problems)
        for (const std::string& variant : table.here.one_place) {
            std::optional<OnePlace> longest;
            for (const results::Document& document : documents)
                for (const results::CaseRecord& record : document.cases) {
                    if (!is_of(table, problem, variant, record)) continue;
                    const int iterations = record.samples->generations_per_sample;
                    if (longest && longest->iterations >= iterations) continue;
                    const double ns = typical_time(samples_of(record));
                    longest = {variant,
                               document.source,
                               record.identity.size.cells(),
                               iterations,
                               ns,
                               static_cast<double>(record.identity.size.cells()) * 1e6 / ns,
                               std::nullopt};
                    if (table.here.printed_iterations > 0 && problem.size == table.here.size)
                        longest->seconds = table.here.printed_iterations * ns * 1e-9;
                }
            if (longest) all.push_back(std::move(*longest));
        }
    return all;
}

}  // namespace camber::published
