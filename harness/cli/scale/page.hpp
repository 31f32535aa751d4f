// Scaling analysis for people: the series, its measures by unit count, the fits, and the
// conclusion.
#pragma once

#include <string>
#include <vector>

#include "analysis/scaling/analysis.hpp"
#include "harness/record/document.hpp"

namespace camber {

// A scaling analysis for people: the series, its measures by p, the fits and the reading.

// Lines of at most 100 columns.
std::string scaling_page(const scaling::Analysis& analysis);

// "8 SMs", "1 thread".
std::string unit_words(int count, scaling::Unit unit);

// What is printed of a series once it is measured, or read again.

// Prints the analyses of all series, and gives them. Cases that did not pass are named, because
// their series lack a point.
std::vector<scaling::Analysis> conclude(const results::Document& document, scaling::Mode mode);

}  // namespace camber
