// Predicted times in `camber model`.
#pragma once

#include <string>

#include "harness/cli/common/time_predictor.hpp"
#include "harness/cli/model/page.hpp"

namespace camber {

// Sets the model's time, or why it has none.
void set_time(ModelledVariant& model, const TimePredictor& times);

// Which of two is predicted to be faster, and why. Throws Error(usage) where one has no time.
std::string reason_between(const ModelledVariant& a, const ModelledVariant& b);

}  // namespace camber
