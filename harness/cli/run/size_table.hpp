// What a person reads of a run over several sizes.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// Times per generation with the speedup over the baseline of the same size, a column per size, the
// fastest on the largest board first; below it the cases without a result, each reason once.
// Repetitions must be merged.
std::string size_table(const results::Document& document);

// Of every variant and kernel whose times have a knee: the floor, the knee with its interval, what
// a million cells beyond it take, and the intercept. "" where none has.
std::string saturation_table(const results::Document& document);

}  // namespace camber
