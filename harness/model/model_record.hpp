// Predictions as results hold them.
#pragma once

#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/model/prediction.hpp"
#include "harness/results/model_record.hpp"

namespace camber {

// `comparisons`: with the counters of the same launch; whether they agree is left out where there
// are none.
results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons);

}  // namespace camber
