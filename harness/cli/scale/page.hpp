// Scaling analysis for people: the series, its measures by unit count, the fits, and the
// conclusion.
#pragma once

#include <string>
#include <vector>

#include "analysis/scaling/analysis.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Scaling analysis as text: the series, its measures by p, the fits and the conclusion.

// Text with lines of at most 100 columns.
std::string scaling_page(const scaling::Analysis& analysis);

// "8 SMs", "1 thread".
std::string unit_words(int count, scaling::Unit unit);

// Output after a series is measured or read from a file.

// Prints and returns the analyses of all series. Reports failed cases, because their series lack a
// point.
std::vector<scaling::Analysis> conclude(const results::Document& document, scaling::Mode mode);

}  // namespace camber
