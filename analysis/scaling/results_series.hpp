// Scaling series as they stand in a results file: cases that name what they ran on.
#pragma once

#include <vector>

#include "analysis/results/result_set.hpp"
#include "analysis/scaling/series.hpp"

namespace camber::scaling {

// One series per variant, unit and mode, in order of first appearance, of the cases with an object
// "scaling" ({"unit", "units", "unit_size", "mode"}) that passed. Times are per generation. Throws
// what series_of() throws, and Error(usage) where no case carries one.
std::vector<Series> series_of_results(const results::ResultSet& set);

}  // namespace camber::scaling
