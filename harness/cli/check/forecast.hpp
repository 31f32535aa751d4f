// What a check will cost, told before it begins.
#pragma once

#include <string>
#include <vector>

#include "harness/measure/study.hpp"

namespace camber {

// Seconds that checking all variants of the studies will take, from the first of them on a small
// board; 0 where that cannot be checked there.
double check_seconds(const std::vector<Study>& studies);

// The sentence that says so where it is more than ten seconds; "" otherwise.
std::string check_forecast(const std::vector<Study>& studies);

}  // namespace camber
