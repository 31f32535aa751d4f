// The keys of `camber reproduce --format json`.
#include "harness/cli/reproduce/json.hpp"

#include <utility>

#include "harness/results/fields.hpp"

namespace camber {

namespace {

using published::Table;
using results::Json;

Json or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json interval_json(const std::optional<published::Interval>& interval) {
    return interval ? Json{interval->low, interval->high} : Json(nullptr);
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

Json json_of(const Reproduction& made) {
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
        json["conclusions"].push_back({{"text", conclusion.stated.text},
                                       {"faster", conclusion.stated.faster},
                                       {"than", conclusion.stated.than},
                                       {"fate", published::name(conclusion.fate)},
                                       {"measured", or_null(conclusion.measured)},
                                       {"interval", interval_json(conclusion.interval)}});
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
        json["scaling"].push_back(results::to_json(series.analysis));
    json["inconsistencies"] = made.inconsistencies;
    json["remarks"] = made.remarks;
    return json;
}

}  // namespace

std::string reproductions_text(const std::vector<Reproduction>& all) {
    Json json = Json::array();
    for (const Reproduction& made : all) json.push_back(json_of(made));
    return (all.size() == 1 ? json.front() : json).dump(2);
}

std::string tables_text(const std::vector<Table>& tables) {
    Json json = Json::array();
    for (const Table& table : tables)
        json.push_back({{"table", table.id},
                        {"source", table.source},
                        {"title", table.title},
                        {"place", table.place},
                        {"here", what_is_here(table)}});
    return json.dump(2);
}

}  // namespace camber
