#include "harness/page/history_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace camber {

namespace {

using history::CaseTrend;
using history::MachineTrend;
using results::Json;

const char* word_of(comparison::Effect effect) {
    switch (effect) {
        case comparison::Effect::regression:
            return "worse";
        case comparison::Effect::improvement:
            return "better";
        case comparison::Effect::information:
            break;
    }
    return "changed";
}

Json quantity_json(const history::QuantityTrend& series) {
    Json json{{"family", name(series.family)}, {"quantity", series.quantity}};
    const bool everywhere =
        std::ranges::all_of(series.values, [](const auto& value) { return value.has_value(); });
    if (everywhere && !series.varies) {
        json["value"] = results::whole_if_possible(*series.values.front());
        return json;
    }
    Json& values = json["values"] = Json::array();
    for (const auto& value : series.values)
        values.push_back(value ? results::whole_if_possible(*value) : Json(nullptr));
    return json;
}

Json case_json(const CaseTrend& trend) {
    Json json{{"name", trend.name}, {"workload", trend.workload}};
    for (const char* list : {"quantities", "changes", "times", "change_points", "failures"})
        json[list] = Json::array();
    for (const history::QuantityTrend& series : trend.quantities)
        json["quantities"].push_back(quantity_json(series));
    for (const auto& [commit, change] : trend.changes)
        json["changes"].push_back({{"commit", commit},
                                   {"family", name(change.family)},
                                   {"quantity", change.quantity},
                                   {"before", results::whole_if_possible(change.base)},
                                   {"after", results::whole_if_possible(change.changed)},
                                   {"effect", word_of(change.effect)}});
    for (const history::TimePoint& point : trend.times)
        json["times"].push_back({{"commit", point.commit},
                                 {"ns", point.ns},
                                 {"low_ns", point.low_ns},
                                 {"high_ns", point.high_ns},
                                 {"processes", point.processes}});
    for (const history::TimeChange& change : trend.time_changes)
        json["change_points"].push_back({{"commit", change.commit},
                                         {"before_ns", change.before_ns},
                                         {"after_ns", change.after_ns},
                                         {"ratio", change.ratio()},
                                         {"p", change.p}});
    for (const auto& [commit, reason] : trend.failures)
        json["failures"].push_back({{"commit", commit}, {"reason", reason}});
    return json;
}

}  // namespace

Json history_json(const std::vector<MachineTrend>& trends) {
    Json machines = Json::array();
    for (const MachineTrend& trend : trends) {
        Json& json = machines.emplace_back(
            Json{{"name", trend.machine.name}, {"hardware", trend.machine.hardware}});
        json["commits"] = Json::array();
        for (const history::Commit& commit : trend.commits)
            json["commits"].push_back({{"hash", commit.hash},
                                       {"dirty", commit.dirty},
                                       {"time", history::utc_text(commit.time)},
                                       {"time_of", commit.time_of},
                                       {"subject", commit.subject}});
        json["environment"] = trend.environment;
        json["cases"] = Json::array();
        for (const CaseTrend& one : trend.cases) json["cases"].push_back(case_json(one));
    }
    return machines;
}

}  // namespace camber
