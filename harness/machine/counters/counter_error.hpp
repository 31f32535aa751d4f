// Why CUPTI yields neither counters nor kernel times, as a sentence with cause and remedy.
#pragma once

#include <string_view>

#include "harness/base/error.hpp"

namespace camber::counters {

// `result`: a CUptiResult. `action`: what was tried, e.g. "enabling the counters"; `explanation`:
// CUPTI's own words, used where the code has no sentence here.
Error counter_error(int result, std::string_view action, std::string_view explanation = "");

}  // namespace camber::counters
