// A scaling analysis for people: the series, its measures by p, the fits and the reading.
#pragma once

#include <string>

#include "analysis/scaling/analysis.hpp"

namespace camber {

// Lines of at most 100 columns.
std::string scaling_page(const scaling::Analysis& analysis);

// "8 SMs", "1 thread".
std::string unit_words(int count, scaling::Unit unit);

}  // namespace camber
