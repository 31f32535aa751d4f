// What a person reads of a run in intervals.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// Times of a generation, a column per interval, the variants in order of their times in all; the
// kernels of the fastest one that has several, as shares; and the share of launched cells that are
// at work, for the whole board, for one to four boxes and for a list. "" where nothing was measured
// in intervals.
std::string interval_tables(const results::Document& document);

}  // namespace camber
