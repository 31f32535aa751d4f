// How a candidate's time stands to those of other variants.
#pragma once

#include <string>
#include <vector>

#include "harness/results/document.hpp"

namespace camber {

// A line for each variant in the document but the candidates themselves, and each candidate:
// "life/a.cu/32x8 against life/halo/32x8/align128: FASTER, 0.913 of its time (0.905 ... 0.921)".
// "" where there are no times.
std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates);

}  // namespace camber
