// What a run will cost, told before it begins.
#pragma once

#include <optional>
#include <string>

#include "harness/measure/study.hpp"

namespace camber {

// Seconds that the study's verified runs will take on the simt backend, from a generation of its
// first variant on a small board. Nothing on other backends, where the board is small itself, and
// where it comes from a file.
std::optional<double> simt_seconds(const Study& study);

// The sentence that says so where it is more than ten seconds; "" otherwise. `fallback`: the
// backend was not asked for, but is what auto took without a GPU.
std::string simt_forecast(const Study& study, bool fallback);

}  // namespace camber
