// The keys of `camber compare --format json`.
#include <nlohmann/json.hpp>

#include "harness/cli/compare/pages.hpp"
#include "harness/cli/compare/wording.hpp"

namespace camber {

namespace {

using namespace compare;
using Json = nlohmann::ordered_json;

std::string_view word(Effect effect) {
    switch (effect) {
        case Effect::regression:
            return "regression";
        case Effect::improvement:
            return "improvement";
        case Effect::information:
            break;
    }
    return "information";
}

Json to_json(const ProcessSpread& spread) {
    return {
        {"processes", spread.processes}, {"between", spread.between}, {"within", spread.within}};
}

Json to_json(const TimeComparison& time) {
    Json json{{"verdict", name(time.verdict)},
              {"base_ns", time.base_ns},
              {"new_ns", time.new_ns},
              {"ratio", time.time.ratio},
              {"interval", {time.time.interval.low, time.time.interval.high}},
              {"between_processes_known", time.time.between_processes_known},
              {"widened", time.time.widened},
              {"cycles_ratio", time.cycles_ratio ? Json(*time.cycles_ratio) : Json(nullptr)},
              {"base_spread", to_json(time.base_spread)},
              {"new_spread", to_json(time.new_spread)}};
    if (!time.reason.empty()) json["reason"] = time.reason;
    if (time.advice != Advice::none) json["advice"] = advice_of(time);
    return json;
}

Json to_json(const CaseComparison& one) {
    Json json{{"name", one.name}, {"state", name(one.standing)}, {"regressed", one.regressed()}};
    if (!one.reason.empty()) json["reason"] = one.reason;
    if (one.standing != Standing::compared) return json;
    json["compared_quantities"] = Json::object();
    for (const auto& [family, compared] : one.quantities.compared)
        json["compared_quantities"][std::string(name(family))] = compared;
    json["changes"] = Json::array();
    for (const Change& change : one.quantities.changes)
        json["changes"].push_back({{"family", name(change.family)},
                                   {"quantity", change.quantity},
                                   {"base", change.base},
                                   {"new", change.changed},
                                   {"effect", word(change.effect)}});
    json["time"] = one.time ? to_json(*one.time) : Json(nullptr);
    return json;
}

Json to_json(const PredictedTimeOf& time) {
    return {{"seconds", time.seconds},
            {"interval", {time.low, time.high}},
            {"binding", time.binding},
            {"uncertain", time.uncertain}};
}

Json to_json(const PredictedTimes& times) {
    Json json{{"base_device", times.base_gpu},
              {"new_device", times.changed_gpu},
              {"cases", Json::array()}};
    for (const PredictedPair& pair : times.pairs)
        json["cases"].push_back({{"name", pair.name},
                                 {"base", to_json(pair.base)},
                                 {"new", to_json(pair.changed)},
                                 {"ratio", pair.ratio()}});
    return json;
}

// What is no UTF-8 becomes U+FFFD.
std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
    const Counts& counts = comparison.counts;
    Json json{{"base", comparison.base},
              {"new", comparison.changed},
              {"threshold", comparison.threshold},
              {"exit_code", static_cast<int>(comparison.exit_code())},
              {"summary", comparison.summary()},
              {"counts",
               {{"cases", counts.cases},
                {"regressed", counts.regressed},
                {"slower", counts.slower},
                {"faster", counts.faster},
                {"same", counts.same},
                {"undecided", counts.undecided},
                {"quantities", counts.quantities},
                {"worse", counts.more},
                {"better", counts.fewer},
                {"information", counts.information},
                {"wrong", counts.wrong},
                {"broken", counts.broken},
                {"lost", counts.lost},
                {"missing", counts.missing},
                {"added", counts.added}}},
              {"differences", comparison.differences},
              {"notes", notes_on(comparison)},
              {"cases", Json::array()}};
    for (const CaseComparison& one : comparison.cases) json["cases"].push_back(to_json(one));
    if (!comparison.predicted.empty()) json["predicted_times"] = to_json(comparison.predicted);
    return text_of(json);
}

std::string self_test_json(const SelfTest& test) {
    Json json{{"threshold", test.threshold},
              {"cases", test.cases},
              {"comparisons", test.pairs.size()},
              {"alarms", test.alarms},
              {"undecided", test.undecided},
              {"effect",
               {{"median", test.median},
                {"p90", test.p90},
                {"p95", test.p95},
                {"p99", test.p99},
                {"largest", test.largest}}},
              {"threshold_without_alarm", test.threshold_without_alarm},
              {"threshold_one_in_50",
               test.threshold_one_in_50 ? Json(*test.threshold_one_in_50) : Json(nullptr)},
              {"summary", test.summary()},
              {"pairs", Json::array()}};
    for (const SelfPair& pair : test.pairs)
        json["pairs"].push_back(
            {{"name", pair.name},
             {"halves_of", pair.split},
             {"verdict", name(pair.comparison.verdict)},
             {"ratio", pair.comparison.time.ratio},
             {"interval",
              {pair.comparison.time.interval.low, pair.comparison.time.interval.high}}});
    return text_of(json);
}

}  // namespace camber
