// Reads scaling series from a results file, from cases that name their number of units.
#pragma once

#include <vector>

#include "harness/results/document.hpp"

namespace camber::scaling {

// One series per variant, unit and mode, in order of first appearance, of the cases that passed on
// a stated number of units, and of those that another program of Google Benchmark's ran on a stated
// number of threads. Cases that GPUs or ranks computed together form one series per variant and
// exchange, whose first point is a case of one place. `of_places`: what those are, of a board that
// stays or grows with them. Times are per generation, or iteration.
// Throws what series_of() throws, and Error(usage) where there is no such case.
std::vector<Series> series_of_results(const results::Document& document,
                                      Mode of_places = Mode::strong);

}  // namespace camber::scaling
