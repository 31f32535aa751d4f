// Tables of `camber run` over intervals, over board sizes, and of transfers that overlap kernels.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// Table of a run in intervals.

// Times per generation, with one column per interval and variants sorted by total time; the shares
// of the kernels for the fastest variant with several kernels; and the fraction of launched cells
// that are active, for the whole board, for one to four boxes and for a list. "" if nothing was
// measured in intervals.
std::string interval_tables(const results::Document& document);

// Table of transfers that overlap kernels.

// Passes of transfer_overlap compared with the sum of their pieces measured alone, and the faster
// order of issue; "" unless a pass and its pieces were timed.
std::string overlap_table(const results::Document& document);

// Tables of a run over several sizes.

// Times per generation with the speedup over the baseline at the same size, one column per size,
// the fastest on the largest board first; below it, the cases without a result, each reason once.
// Repetitions must be merged.
std::string size_table(const results::Document& document);

// Saturation of every variant and kernel whose times have a knee: the floor, the knee with its
// interval, the time per million further cells, and the intercept. "" if none has a knee.
std::string saturation_table(const results::Document& document);

}  // namespace camber
