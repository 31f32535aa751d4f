// Predictions as JSON, and the ceilings for their bounds from JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/model/quantities.hpp"

namespace camber {

// What a results file stores of a case: {"arch", "method", quantities()..., "agrees"}.
// `comparisons`: with the counters of the same launch; "agrees" is left out where there are none.
nlohmann::ordered_json model_record(const Prediction& prediction,
                                    const std::vector<CounterComparison>& comparisons);

// An element of `models` in the file of `camber model --json`: see
// results/schema/camber-model.schema.json.
nlohmann::ordered_json model_entry(const Prediction& prediction, const Workload& workload,
                                   const Bounds& bounds);

// A device as a file describes it that `camber run` or `camber ceilings --json` wrote.
struct CeilingsOfDevice {
    std::string name;                // "NVIDIA H200"
    std::string compute_capability;  // "9.0"
    DeviceCeilings ceilings;
};

// Takes the highest of the DRAM bandwidths measured, and L2's size for launches that find in L2
// what the one before left. Throws nlohmann::json::exception where the document is none of those
// files or was written without a GPU.
CeilingsOfDevice model_ceilings(const nlohmann::ordered_json& document);

}  // namespace camber
