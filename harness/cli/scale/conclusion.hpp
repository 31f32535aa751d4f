// What is printed of a series once it is measured, or read again.
#pragma once

#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// Prints the analyses of all series, and gives them. Cases that did not pass are named, because
// their series lack a point.
std::vector<scaling::Analysis> conclude(const results::Document& document, scaling::Mode mode);

}  // namespace camber
