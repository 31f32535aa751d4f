// The checker's findings as text.
#pragma once

#include <string>
#include <vector>

#include "harness/predict/check_variant.hpp"

namespace camber {

// What was found in one variant: a heading, then every finding with its examples.
std::string describe(const CheckResult& result);

// The last line: how many were checked, how many are clean.
std::string summarize(const std::vector<CheckResult>& results);

}  // namespace camber
