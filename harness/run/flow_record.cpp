#include "harness/run/flow_record.hpp"

namespace camber {
namespace {

using Json = nlohmann::ordered_json;

void add(Json& json, const char* name, const std::optional<double>& value) {
    if (value) json[name] = *value;
}

// What every comparison of two flows has.
Json figures(const FlowDifference& difference) {
    const FlowStatistics& cells = difference.cells;
    Json json{{"jaccard", cells.jaccard},
              {"share_within_10_percent", cells.share_within_tenth},
              {"largest_difference", cells.largest_difference},
              {"mean_difference", cells.mean_difference},
              {"differing_cells", cells.differing_cells},
              {"mass_difference", difference.mass_difference}};
    add(json, "time_difference", difference.time_difference);
    return json;
}

Json to_json(const FlowDifference& difference) {
    Json json{{"expected_cells", difference.cells.expected_cells},
              {"covered_cells", difference.cells.covered_cells}};
    json.update(figures(difference));
    json["mass_error"] = difference.mass_error;
    add(json, "event_fit", difference.event_fit);
    return json;
}

Json to_json(const FlowLimits& limits) {
    Json json{{"mass_error", limits.mass_error}};
    add(json, "jaccard", limits.jaccard);
    add(json, "largest_difference", limits.largest_difference);
    add(json, "covered_difference", limits.covered_difference);
    add(json, "time_difference", limits.time_difference);
    return json;
}

}  // namespace

void add_flow(Json& verification, const FlowVerdict& flow) {
    verification["method"] = flow.limits ? "statistics" : "cells";
    if (flow.difference) verification["statistics"] = to_json(*flow.difference);
    if (flow.limits) verification["limits"] = to_json(*flow.limits);
    if (!flow.exceeded.empty()) verification["exceeded"] = flow.exceeded;
    if (flow.spread) {
        Json& spread = verification["spread"] = {{"runs", flow.spread->runs}};
        spread.update(figures(flow.spread->worst));
    }
}

}  // namespace camber
