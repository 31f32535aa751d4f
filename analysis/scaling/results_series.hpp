// Reads scaling series from a results file, from cases that name their number of units.
#pragma once

#include <vector>

#include "harness/record/document.hpp"

namespace camber::scaling {

// One series per variant, unit and mode, in order of first appearance, from cases that passed on a
// given number of units, and from cases of another Google Benchmark program with a given number of
// threads. Cases that GPUs or ranks computed together form one series per variant and exchange,
// whose first point is a case on one device. `of_places`: their mode, for boards that stay or grow
// with the devices. Times are per generation, or iteration. Throws what series_of() throws, and
// Error(usage) if there is no such case.
std::vector<Series> series_of_results(const results::Document& document,
                                      Mode of_places = Mode::strong);

}  // namespace camber::scaling
