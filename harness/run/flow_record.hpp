// What verification says of a flow, as fields of a results file's `verification`
// (results/schema/camber-results.schema.json).
#pragma once

#include <nlohmann/json.hpp>

#include "harness/run/flow_comparison.hpp"

namespace camber {

// Adds "method" and, of states that are flows, "statistics", "limits", "exceeded" and "spread".
void add_flow(nlohmann::ordered_json& verification, const FlowVerdict& flow);

}  // namespace camber
