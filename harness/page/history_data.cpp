#include "harness/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>


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

// Main costs, which the page draws if no quantity of a case changes.
constexpr std::string_view main_quantities[] = {"global_load_sectors",
                                                "global_store_sectors",
                                                "shared_load_wavefronts",
                                                "shared_store_wavefronts",
                                                "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                                "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                                "registers",
                                                "total"};

bool is_drawn(const history::QuantityTrend& series) {
    return series.varies ||
           std::ranges::find(main_quantities, series.quantity) != std::end(main_quantities);
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

Json case_json(const CaseTrend& trend, HistoryDetail detail) {
    const bool all = detail == HistoryDetail::all;
    const auto time = [&](double ns) { return all ? ns : rounded(ns, 6); };
    Json json{{"name", trend.name}, {"workload", trend.workload}};
    for (const char* list : {"quantities", "changes", "times", "change_points", "failures"})
        json[list] = Json::array();
    for (const history::QuantityTrend& series : trend.quantities)
        if (all || is_drawn(series)) json["quantities"].push_back(quantity_json(series));
    for (const auto& [commit, change] : trend.changes)
        json["changes"].push_back({{"commit", commit},
                                   {"family", name(change.family)},
                                   {"quantity", change.quantity},
                                   {"before", results::whole_if_possible(change.base)},
                                   {"after", results::whole_if_possible(change.changed)},
                                   {"effect", word_of(change.effect)}});
    for (const history::TimePoint& point : trend.times)
        json["times"].push_back({{"commit", point.commit},
                                 {"ns", time(point.ns)},
                                 {"low_ns", time(point.low_ns)},
                                 {"high_ns", time(point.high_ns)},
                                 {"processes", point.processes}});
    for (const history::TimeChange& change : trend.time_changes)
        json["change_points"].push_back({{"commit", change.commit},
                                         {"before_ns", time(change.before_ns)},
                                         {"after_ns", time(change.after_ns)},
                                         {"ratio", change.ratio()},
                                         {"p", change.p}});
    for (const auto& [commit, reason] : trend.failures)
        json["failures"].push_back({{"commit", commit}, {"reason", reason}});
    return json;
}

}  // namespace

Json history_json(const std::vector<MachineTrend>& trends, HistoryDetail detail) {
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
        for (const CaseTrend& one : trend.cases) json["cases"].push_back(case_json(one, detail));
    }
    return machines;
}

}  // namespace camber
