// Keys of `camber reproduce --format json`.
#include "harness/cli/reproduce/reproduction.hpp"

#include <utility>

#include "harness/record/fields.hpp"

namespace camber {

namespace {

using published::Table;
using results::Json;

Json or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

void put(Json& json, const published::Judged& measured) {
    json["fate"] = published::name(measured.outcome);
    json["measured"] = or_null(measured.ratio);
    json["interval"] =
        measured.interval ? Json{measured.interval->low, measured.interval->high} : Json(nullptr);
}

Json printed_json(const std::optional<published::Entry>& printed) {
    if (!printed) return nullptr;
    return {{"printed", printed->printed},
            {"reading", or_null(printed->reading)},
            {"bound", printed->bound}};
}

Json statement_json(const published::Statement& stated) {
    Json json{{"text", stated.text}, {"faster", stated.faster}, {"than", stated.than}};
    if (!stated.parameters.empty()) json["parameters"] = stated.parameters;
    if (!stated.than_parameters.empty()) json["than_parameters"] = stated.than_parameters;
    return json;
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
                        {"hold", series.hold},
                        {"reversed", series.reversed},
                        {"no_difference", series.no_difference},
                        {"published_order", series.published_order()},
                        {"measured_order", series.measured_order()}});
    }
    return json;
}

Json works_json(const std::vector<published::WorkRow>& rows) {
    Json json = Json::array();
    for (const published::WorkRow& row : rows)
        json.push_back({{"column", row.column},
                        {"work", row.work},
                        {"active_cells", row.active},
                        {"steps", row.steps},
                        {"simulated_time", row.seconds},
                        {"withheld", row.verdict},
                        {"citation", row.citation}});
    return json;
}

// Works of one card as numbers, null where they are not recorded.
Json works_json(const std::vector<published::MeasuredWork>& works, const Table& table) {
    Json json = Json::array();
    for (const published::MeasuredWork& work : works) {
        Json& one = json.emplace_back();
        one = {{"measured_on", work.origin},
               {"input", work.input},
               {"steps", work.steps},
               {"simulated_seconds", or_null(work.seconds)},
               {"active_share", or_null(work.active_share)},
               {"withheld", nullptr}};
        if (const published::Basis basis = basis_of(table, &work);
            basis != published::Basis::same)
            one["withheld"] = published::name(outcome_on(basis, published::Outcome::holds));
    }
    return json;
}

Json card_json(const OnCard& on, const Table& table) {
    Json json{{"card", on.card},
              {"measured_on", on.measured_on},
              {"works", works_json(on.works, table)},
              {"reference_cpus", on.reference_cpus}};
    json["ratios"] = Json::array();
    for (const published::Ratio& ratio : on.ratios) {
        Json& one = json["ratios"].emplace_back();
        one = {{"row", ratio.row},
               {"variant", ratio.variant},
               {"baseline", ratio.baseline},
               {"published", or_null(ratio.published)},
               {"bound", ratio.bound}};
        put(one, ratio.measured);
    }
    json["conclusions"] = Json::array();
    for (const published::Conclusion& conclusion : on.conclusions) {
        Json& one = json["conclusions"].emplace_back(statement_json(conclusion.stated));
        one["published"] = printed_json(conclusion.printed);
        put(one, conclusion.measured);
        one["verdict"] = published::verdict_text(conclusion.measured, conclusion.printed);
    }
    if (!on.orders.empty()) json["orders"] = orders_json(on.orders);
    for (const published::MachineEntry& entry : on.machines) {
        Json& one = json["machines"].emplace_back();
        one = {{"entry", entry.name},
               {"variant", entry.variant},
               {"core", entry.core},
               {"printed", entry.printed.printed},
               {"published", or_null(entry.published)},
               {"generations_per_second", or_null(entry.generations_per_second)},
               {"over_all_cores", or_null(entry.over_cores.ratio)},
               {"program_seconds", or_null(entry.program_seconds)},
               {"program_over_one_core", or_null(entry.program_over_core)}};
        put(one["over_one_core"], entry.over_core);
    }
    for (const published::Figure& figure : on.figures)
        json["figures"].push_back({{"row", figure.row},
                                   {"column", figure.column},
                                   {"variant", figure.variant},
                                   {"printed", figure.printed.printed},
                                   {"today", figure.today},
                                   {"measured", or_null(figure.measured)}});
    for (const published::Share& share : on.shares)
        json["shares"].push_back({{"row", share.row},
                                  {"column", share.column},
                                  {"variant", share.variant},
                                  {"kernel", share.kernel},
                                  {"published", or_null(share.printed.reading)},
                                  {"bound", share.printed.bound},
                                  {"measured", or_null(share.measured)}});
    for (const published::MeasuredSeries& series : on.series)
        json["series"].push_back({{"measured_on", series.origin},
                                  {"balance", series.balance},
                                  {"stage", series.stage},
                                  {"analysis", results::to_json(series.analysis)}});
    for (const published::OneGpu& place : on.one_gpu)
        json["one_place"].push_back({{"variant", place.variant},
                                     {"measured_on", place.origin},
                                     {"particles", place.particles},
                                     {"iterations_per_sample", place.iterations},
                                     {"iteration_ns", place.iteration_ns},
                                     {"kips", place.rate},
                                     {"seconds_of_printed_iterations", or_null(place.seconds)}});
    return json;
}

Json predicted_json(const PredictedTable& predicted) {
    Json json{{"card", predicted.card},   {"file", predicted.file},
              {"size", predicted.size},   {"kendalls_tau", or_null(predicted.tau)},
              {"notes", predicted.notes}, {"remarks", predicted.remarks},
              {"times", Json::array()},   {"pairs", Json::array()}};
    for (const PredictedEntry& entry : predicted.times)
        json["times"].push_back({{"variant", entry.variant},
                                 {"seconds", entry.seconds},
                                 {"low", entry.low},
                                 {"high", entry.high},
                                 {"binds", entry.binding}});
    for (const TablePair& pair : predicted.pairs) {
        Json& one = json["pairs"].emplace_back();
        one = {{"of", pair.row ? "row" : "conclusion"},
               {"text", pair.text},
               {"faster", pair.faster},
               {"than", pair.than},
               {"printed", or_null(pair.printed)},
               {"predicted", nullptr},
               {"interval", nullptr},
               {"model", name(pair.verdict())}};
        if (!pair.predicted) continue;
        one["predicted"] = pair.predicted->usual;
        // An unbounded end of the interval is null.
        one["interval"] = {pair.predicted->interval.low, pair.predicted->interval.high};
    }
    return json;
}

Json json_of(const Reproduction& made) {
    const Table& table = *made.table;
    Json json{{"table", table.id},
              {"source", table.source},
              {"title", table.title},
              {"place", table.place},
              {"works", works_json(made.works)},
              {"cards", Json::array()}};
    for (const OnCard& on : made.cards) json["cards"].push_back(card_json(on, table));
    for (const PredictedTable& predicted : made.predicted)
        json["predicted"].push_back(predicted_json(predicted));
    json["turned_over"] = made.turned_over;
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

std::string questions_text(const std::vector<published::SourceQuestions>& sources,
                           const std::vector<published::Card>& cards) {
    Json json = Json::array();
    for (const published::SourceQuestions& source : sources) {
        Json& of = json.emplace_back();
        of = {{"source", source.source}, {"questions", Json::array()}, {"works", Json::object()}};
        for (const auto& [table, rows] : source.works) of["works"][table] = works_json(rows);
        for (const published::Question& question : source.questions) {
            Json& one = of["questions"].emplace_back(statement_json(question.stated));
            one["table"] = question.table;
            one["published"] = printed_json(question.printed);
            one["cards"] = Json::array();
            for (std::size_t i = 0; i < cards.size(); ++i) {
                const published::Answer& on = question.answers[i];
                Json& card = one["cards"].emplace_back(Json{{"card", cards[i].name}});
                put(card, on.measured);
                card["verdict"] = published::verdict_text(on.measured, question.printed);
                card["measured_on"] = on.origin;
                card["reason"] = on.reason;
            }
        }
    }
    return json.dump(2);
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
