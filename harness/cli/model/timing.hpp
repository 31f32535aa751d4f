// Predicted times in `camber model`.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/time_predictor.hpp"
#include "harness/cli/model/page.hpp"

namespace camber {

// Sets the model's time, or why it has none. `candidates`: the kernels' files among the variants,
// whose machine code a compiler makes now.
void set_time(ModelledVariant& model, const TimePredictor& times,
              const std::vector<CandidatePoint>& candidates);

// Which of two is predicted to be faster, and why. Throws Error(usage) where one has no time.
std::string reason_between(const ModelledVariant& a, const ModelledVariant& b);

}  // namespace camber
