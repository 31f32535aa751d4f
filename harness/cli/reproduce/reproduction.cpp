#include "harness/cli/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/memory/architecture.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/reproduce/times.hpp"
#include "harness/model/prediction.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using published::Kind;
using published::Table;

const Variant& variant_named(const std::string& name) {
    load_kernels(name.substr(0, name.find('/')));
    // The sources count on cells of 4 bytes.
    const auto found = std::ranges::find_if(registry().variants(), [&](const Variant& variant) {
        return variant.info.name() == name && info(variant.info.cell).size == 4 &&
               variant.factories.contains(Backend::simt);
    });
    if (found == registry().variants().end())
        throw Error(ExitCode::unavailable,
                    fmt::format("variant '{}' of a published table is not in this build", name));
    return *found;
}

AccessCounts predicted_counts(const published::RowHere& here, const std::string& architecture) {
    const Variant& variant = variant_named(here.variant);
    const Workload& workload = *find_workload(variant.info.workload);
    const Problem problem{here.size, Boundary::dead, variant.info.cell,
                          ParameterSet(workload.facts().parameters)};
    const InitialData initial{&workload, {.size = here.size, .cell = variant.info.cell}, nullptr};
    const Prediction prediction =
        predict(variant, problem, initial, parse_architecture(architecture));
    if (!here.kernel) return prediction.counts();
    return prediction.kernels.at(*here.kernel).model.counts;
}

std::vector<CountPair> counts_of(const Table& table) {
    std::vector<CountPair> pairs;
    for (const published::Row& row : table.rows) {
        if (!row.here) continue;
        const AccessCounts counts = predicted_counts(*row.here, table.here.arch);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const published::Column& column = table.columns[i];
            if (column.count.empty() || !row.values[i]) continue;
            pairs.push_back({row.name, column.name, row.here->variant, *row.values[i],
                             published::count_named(counts, column.count) * row.here->repeats /
                                 row.here->divide_by});
        }
    }
    return pairs;
}

// Variants of the table that were tried and gave no time.
std::vector<std::string> failures(const Table& table, const std::vector<results::Document>& from) {
    const auto variants = published::variants_of(table);
    std::vector<std::string> sentences;
    for (const results::Document& document : from)
        for (const results::CaseRecord& record : document.cases)
            if (record.status != results::Status::ok &&
                std::ranges::find(variants, record.identity.variant) != variants.end())
                sentences.push_back(
                    fmt::format("{} {}: {} ({})", record.identity.variant,
                                record.status == results::Status::failed ? "failed" : "was skipped",
                                record.reason, document.source));
    return sentences;
}

bool workload_missing(const Table& table) {
    const std::string& workload = table.here.workload;
    return !workload.empty() && find_workload(workload) == nullptr;
}

std::string no_workload(const Table& table) {
    return fmt::format("no workload {} in this build", table.here.workload);
}

}  // namespace

bool wants_times(const Table& table) {
    const Kind kind = table.kind;
    return (kind == Kind::times || kind == Kind::saved || kind == Kind::speedups ||
            kind == Kind::order || kind == Kind::shares) &&
           !workload_missing(table) && !published::variants_of(table).empty();
}

std::string what_is_here(const Table& table) {
    const auto rows = std::ranges::count_if(
        table.rows, [](const published::Row& row) { return row.here.has_value(); });
    switch (table.kind) {
        case Kind::times:
        case Kind::saved:
        case Kind::speedups:
            return workload_missing(table)
                       ? no_workload(table)
                       : fmt::format("{} of {} rows, measured on a GPU", rows, table.rows.size());
        case Kind::counts: {
            const auto columns = std::ranges::count_if(
                table.columns,
                [](const published::Column& column) { return !column.count.empty(); });
            return fmt::format("{} counts, predicted without a GPU", rows * columns);
        }
        case Kind::order: {
            if (workload_missing(table)) return no_workload(table);
            int entries = 0;
            int here = 0;
            for (std::size_t i = 0; i < table.rows.size(); ++i)
                for (std::size_t j = 0; j < table.columns.size(); ++j) {
                    const auto& entry = table.rows[i].values[j];
                    if (!entry || !entry->reading) continue;
                    ++entries;
                    here += !published::variant_of_entry(table, i, j).empty();
                }
            return here == 0 ? "no variant stands for its entries"
                             : fmt::format("{} of {} entries, measured on a GPU", here, entries);
        }
        case Kind::shares:
            return workload_missing(table) ? no_workload(table)
                                           : "shares of kernels, measured on a GPU";
        case Kind::scaling:
            return workload_missing(table) ? "recomputed; " + no_workload(table) : "recomputed";
        case Kind::absent:
            return workload_missing(table) ? no_workload(table) : "no variant stands for its rows";
        case Kind::printed:
            break;
    }
    return "as printed";
}

Reproduction reproduce(const Table& table, const std::vector<results::Document>& from) {
    Reproduction made;
    made.table = &table;
    const std::vector<std::string> variants = published::variants_of(table);
    const MeasuredTimes times = best_times(from, variants, table.here.cell);
    const auto measured = [&](const std::string& variant) -> const published::ProcessSamples* {
        const auto found = times.samples_ns.find(variant);
        return found == times.samples_ns.end() ? nullptr : &found->second;
    };
    if (workload_missing(table)) made.remarks.push_back(no_workload(table));
    if (table.kind == Kind::counts) made.counts = counts_of(table);
    made.ratios = published::ratios(table, measured);
    made.conclusions = published::conclusions(table, measured);
    made.measured_on = times.origin;
    std::map<std::string, MeasuredTimes> of_cell;
    made.orders = published::ordered_series(
        table, [&](const std::string& variant, const std::string& cell) -> std::optional<double> {
            auto found = of_cell.find(cell);
            if (found == of_cell.end())
                found = of_cell.emplace(cell, best_times(from, variants, cell)).first;
            const auto& all = found->second.samples_ns;
            const auto samples = all.find(variant);
            if (samples == all.end()) return std::nullopt;
            return published::typical_time(samples->second);
        });
    for (const auto& [cell, those] : of_cell)
        if (!those.origin.empty() && made.measured_on.find(those.origin) == std::string::npos)
            made.measured_on += (made.measured_on.empty() ? "" : "; ") + those.origin;
    made.shares = published::shares(
        table, [&](const std::string& variant, const std::string& kernel) -> std::optional<double> {
            const auto shares = times.shares.find(variant);
            if (shares == times.shares.end() || !shares->second.contains(kernel))
                return std::nullopt;
            return shares->second.at(kernel);
        });
    if (!from.empty() && wants_times(table) && times.samples_ns.empty())
        made.remarks.push_back(
            "none of the results has a time of these variants on a GPU (backend cuda, launches one "
            "by one, caches not emptied)");
    for (std::string& sentence : failures(table, from)) made.remarks.push_back(std::move(sentence));
    made.series = published::scaling_series(table);
    made.inconsistencies = published::inconsistencies(table, published::tables());
    return made;
}

}  // namespace camber
