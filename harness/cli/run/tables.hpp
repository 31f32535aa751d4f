// Tables of `camber run` over intervals, over board sizes, and of transfers that overlap kernels.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// What a person reads of a run in intervals.

// Times of a generation, a column per interval, the variants in order of their times in all; the
// kernels of the fastest one that has several, as shares; and the share of launched cells that are
// at work, for the whole board, for one to four boxes and for a list. "" where nothing was measured
// in intervals.
std::string interval_tables(const results::Document& document);

// What a person reads of transfers under kernels.

// The passes of transfer_overlap against the sum of their pieces alone, and the order of issue that
// is faster; "" where no pass and its pieces were timed.
std::string overlap_table(const results::Document& document);

// What a person reads of a run over several sizes.

// Times per generation with the speedup over the baseline of the same size, a column per size, the
// fastest on the largest board first; below it the cases without a result, each reason once.
// Repetitions must be merged.
std::string size_table(const results::Document& document);

// Of every variant and kernel whose times have a knee: the floor, the knee with its interval, what
// a million cells beyond it take, and the intercept. "" where none has.
std::string saturation_table(const results::Document& document);

}  // namespace camber
