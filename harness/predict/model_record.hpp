// Predictions as files hold them.
#pragma once

#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/predict/quantities.hpp"
#include "harness/record/model_record.hpp"

namespace camber {

// `comparisons`: with the counters of the same launch; empty where they were not read.
results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons);

// Of a variant that cannot be modelled.
results::ModelEntry skipped_entry(const Variant& variant, const Problem& problem,
                                  const std::string& reason);
// Without call sites and bounds, as baselines have it.
results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload);
// With them. `bounds` may be empty.
results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload,
                                const Bounds& bounds);

}  // namespace camber
