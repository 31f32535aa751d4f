// What a model will cost, told before it begins.
#pragma once

#include <string>

#include "analysis/memory/architecture.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Seconds that the study's variants will take to model, from the first of them on a small board. 0
// where the board is small itself.
double model_seconds(const Study& study, const Architecture& architecture);

// The sentence that says so where it is more than ten seconds; "" otherwise.
std::string model_forecast(const Study& study, const Architecture& architecture);

}  // namespace camber
