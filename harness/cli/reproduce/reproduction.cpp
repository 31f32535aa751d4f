#include "harness/cli/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/memory/architecture.hpp"
#include "analysis/scaling/scaling_json.hpp"
#include "harness/base/error.hpp"
#include "harness/base/statistics.hpp"
#include "harness/model/prediction.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;
using published::Kind;
using published::Table;

// The medians of one size and type of cells in one results file.
struct Times {
    std::string origin;
    std::map<std::string, double> median_ns;  // by variant
    // Percent of a generation that kernels take, by variant and kernel.
    std::map<std::string, std::map<std::string, double>> shares;
};

std::string origin_of(const results::ResultSet& set, const std::string& size) {
    std::string machine = "an unnamed machine";
    if (const auto camber = set.context.find("camber"); camber != set.context.end())
        if (const auto gpu = camber->find("gpu"); gpu != camber->end() && gpu->is_object())
            machine = gpu->value("name", machine);
    return fmt::format("{}, {} ({})", machine, size, set.source);
}

bool comparable(const results::Case& one) {
    return one.status == results::Status::ok && one.text("backend") == "cuda" &&
           one.text("cache") != "cold" && one.text("submission") != "graph" && !one.times.empty();
}

// By name of the kernel; empty where the device's clock was not read.
std::map<std::string, double> shares_of(const results::Case& one) {
    std::map<std::string, double> shares;
    const auto times = one.camber.find("kernel_times");
    if (times == one.camber.end()) return shares;
    double total = 0;
    for (const Json& kernel : times->at("kernels")) {
        const double ns = kernel.at("median_ns").get<double>() * kernel.at("n").get<double>();
        shares[kernel.at("name").get<std::string>()] += ns;
        total += ns;
    }
    for (auto& [kernel, share] : shares) share *= 100 / total;
    return shares;
}

// `cell`: of cells of that type only; "" for any.
std::vector<Times> times_by_size(const results::ResultSet& set, const std::string& cell) {
    std::map<std::string, Times> by_size;
    for (const results::Case& one : set.cases) {
        if (!comparable(one) || (!cell.empty() && one.text("cell") != cell)) continue;
        const auto columns = one.number("/size/columns");
        const auto rows = one.number("/size/rows");
        if (!columns || !rows) continue;
        const std::string size = fmt::format("{}x{}", *columns, *rows);
        const std::string kind = fmt::format("{}, {}", size, one.text("cell"));
        Times& times = by_size.try_emplace(kind, Times{origin_of(set, size), {}, {}}).first->second;
        times.median_ns.try_emplace(one.text("variant"), median(one.samples()));
        times.shares.try_emplace(one.text("variant"), shares_of(one));
    }
    std::vector<Times> all;
    for (auto& [size, times] : by_size) all.push_back(std::move(times));
    return all;
}

// The times that have the most of these variants; the first of equals. None where none has any.
Times best_times(const std::vector<results::ResultSet>& from,
                 const std::vector<std::string>& variants, const std::string& cell = "") {
    Times best;
    std::ptrdiff_t most = 0;
    for (const results::ResultSet& set : from)
        for (const Times& times : times_by_size(set, cell)) {
            const auto had = std::ranges::count_if(variants, [&](const std::string& variant) {
                return times.median_ns.contains(variant);
            });
            if (had <= most) continue;
            most = had;
            best = times;
        }
    return best;
}

const Variant& variant_named(const std::string& name) {
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

Size size_from(const std::string& text) {
    const auto times = text.find('x');
    return {std::stoi(text.substr(0, times)), std::stoi(text.substr(times + 1))};
}

AccessCounts predicted_counts(const Json& here, const std::string& architecture) {
    const Variant& variant = variant_named(here.at("variant").get<std::string>());
    const Workload& workload = *find_workload(variant.info.workload);
    const Size size = size_from(here.at("size").get<std::string>());
    const Problem problem{size, Boundary::dead, variant.info.cell,
                          ParameterSet(workload.facts().parameters)};
    const InitialData initial{&workload, {.size = size, .cell = variant.info.cell}, nullptr};
    const Prediction prediction =
        predict(variant, problem, initial, parse_architecture(architecture));
    if (!here.contains("kernel")) return prediction.total();
    return prediction.kernels.at(here["kernel"].get<std::size_t>()).model.total;
}

std::vector<CountPair> counts_of(const Table& table) {
    std::vector<CountPair> pairs;
    for (const published::Row& row : table.rows) {
        if (row.camber.is_null()) continue;
        const AccessCounts counts =
            predicted_counts(row.camber, table.camber.at("arch").get<std::string>());
        const std::int64_t repeats = row.camber.value("repeats", 1);
        const std::int64_t parts = row.camber.value("divide_by", 1);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const published::Column& column = table.columns[i];
            if (column.count.empty() || !row.values[i]) continue;
            pairs.push_back({row.name, column.name, row.camber["variant"].get<std::string>(),
                             *row.values[i],
                             published::count_named(counts, column.count) * repeats / parts});
        }
    }
    return pairs;
}

// Variants of the table that were tried and gave no time.
std::vector<std::string> failures(const Table& table, const std::vector<results::ResultSet>& from) {
    const auto variants = published::variants_of(table);
    std::vector<std::string> sentences;
    for (const results::ResultSet& set : from)
        for (const results::Case& one : set.cases)
            if (one.status != results::Status::ok &&
                std::ranges::find(variants, one.text("variant")) != variants.end())
                sentences.push_back(
                    fmt::format("{} {}: {} ({})", one.text("variant"),
                                one.status == results::Status::failed ? "failed" : "was skipped",
                                one.reason, set.source));
    return sentences;
}

bool workload_missing(const Table& table) {
    const std::string workload = published::workload_of(table);
    return !workload.empty() && find_workload(workload) == nullptr;
}

std::string no_workload(const Table& table) {
    return fmt::format("no workload {} in this build", published::workload_of(table));
}

Json or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json orders_json(const std::vector<published::OrderedSeries>& all) {
    Json json = Json::array();
    for (const published::OrderedSeries& series : all) {
        Json entries = Json::array();
        for (const published::OrderedEntry& entry : series.entries)
            entries.push_back({{"entry", entry.name},
                               {"variant", entry.variant},
                               {"cell", entry.cell},
                               {"published", entry.published},
                               {"published_share", entry.published_share},
                               {"generations_per_second", or_null(entry.measured)},
                               {"measured_share", or_null(entry.measured_share)}});
        json.push_back({{"series", series.name},
                        {"entries", std::move(entries)},
                        {"pairs", series.pairs},
                        {"kept", series.kept},
                        {"reversed", series.reversed},
                        {"published_order", series.published_order()},
                        {"measured_order", series.measured_order()}});
    }
    return json;
}

}  // namespace

bool wants_times(const Table& table) {
    const Kind kind = published::kind_of(table);
    return (kind == Kind::times || kind == Kind::saved || kind == Kind::speedups ||
            kind == Kind::order || kind == Kind::shares) &&
           !workload_missing(table) && !published::variants_of(table).empty();
}

std::string what_is_here(const Table& table) {
    const auto rows = std::ranges::count_if(
        table.rows, [](const published::Row& row) { return !row.camber.is_null(); });
    switch (published::kind_of(table)) {
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

Reproduction reproduce(const Table& table, const std::vector<results::ResultSet>& from) {
    Reproduction made;
    made.table = &table;
    const std::vector<std::string> variants = published::variants_of(table);
    const Times times = best_times(
        from, variants, table.camber.is_object() ? table.camber.value("cell", "") : std::string());
    const auto measured = [&](const std::string& variant) -> std::optional<double> {
        const auto found = times.median_ns.find(variant);
        if (found == times.median_ns.end()) return std::nullopt;
        return found->second;
    };
    if (workload_missing(table)) made.remarks.push_back(no_workload(table));
    if (published::kind_of(table) == Kind::counts) made.counts = counts_of(table);
    made.ratios = published::ratios(table, measured);
    made.conclusions = published::conclusions(table, measured);
    made.measured_on = times.origin;
    std::map<std::string, Times> of_cell;
    made.orders = published::ordered_series(
        table, [&](const std::string& variant, const std::string& cell) -> std::optional<double> {
            auto found = of_cell.find(cell);
            if (found == of_cell.end())
                found = of_cell.emplace(cell, best_times(from, variants, cell)).first;
            const auto& medians = found->second.median_ns;
            const auto median = medians.find(variant);
            if (median == medians.end()) return std::nullopt;
            return median->second;
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
    if (!from.empty() && wants_times(table) && times.median_ns.empty())
        made.remarks.push_back(
            "none of the results has a time of these variants on a GPU (backend cuda, launches one "
            "by one, caches not emptied)");
    for (std::string& sentence : failures(table, from)) made.remarks.push_back(std::move(sentence));
    made.series = published::scaling_series(table);
    made.inconsistencies = published::inconsistencies(table, published::tables());
    return made;
}

Json to_json(const Reproduction& made) {
    const Table& table = *made.table;
    Json json{{"table", table.id},
              {"source", table.source},
              {"title", table.title},
              {"place", table.place},
              {"measured_on", made.measured_on}};
    json["ratios"] = Json::array();
    for (const published::Ratio& ratio : made.ratios)
        json["ratios"].push_back({{"row", ratio.row},
                                  {"variant", ratio.variant},
                                  {"baseline", ratio.baseline},
                                  {"published", or_null(ratio.published)},
                                  {"bound", ratio.bound},
                                  {"measured", or_null(ratio.measured)}});
    json["conclusions"] = Json::array();
    for (const published::Conclusion& conclusion : made.conclusions)
        json["conclusions"].push_back({{"text", conclusion.text},
                                       {"faster", conclusion.faster},
                                       {"than", conclusion.than},
                                       {"fate", published::name(conclusion.fate)},
                                       {"measured", or_null(conclusion.measured)}});
    if (!made.orders.empty()) json["orders"] = orders_json(made.orders);
    if (!made.shares.empty()) {
        Json& shares = json["shares"] = Json::array();
        for (const published::Share& share : made.shares)
            shares.push_back({{"row", share.row},
                              {"column", share.column},
                              {"variant", share.variant},
                              {"kernel", share.kernel},
                              {"published", or_null(share.printed.reading)},
                              {"bound", share.printed.bound},
                              {"measured", or_null(share.measured)}});
    }
    json["counts"] = Json::array();
    for (const CountPair& pair : made.counts)
        json["counts"].push_back({{"row", pair.row},
                                  {"column", pair.column},
                                  {"variant", pair.variant},
                                  {"printed", pair.printed.printed},
                                  {"predicted", pair.predicted},
                                  {"equal", pair.equal()}});
    json["scaling"] = Json::array();
    for (const published::PublishedSeries& series : made.series)
        json["scaling"].push_back(scaling::scaling_json(series.analysis));
    json["inconsistencies"] = made.inconsistencies;
    json["remarks"] = made.remarks;
    return json;
}

}  // namespace camber
