// Rows of a report: converts a measured case to a row, and computes the flat roof of a roofline,
// the update rate that no row of a data set can exceed.
#pragma once

#include <optional>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

// A case as a row of the report.

// `run`: what the record was measured in; may be null.
Row row_of(const results::CaseRecord& record, const results::Run* run);

// The flat roof of a roofline.

// The rate of cell updates that no case of a data set can pass, however few bytes it moves: the
// lowest of
//
//   arithmetic  issue slots, FP32 or FP64, whichever a case comes to first, for the case that comes
//               to it latest. By counted instructions; else an estimate: each thread executes its
//               kernel's text once. Only of cases of one generation per launch and at most 4 cells
//               per thread, whose text has no long loops.
//   launches    the case with the most cells per launch, at an empty launch for each kernel. Left
//               out where it lies over 100 times above the fastest case.
//
// A rate that a case has passed is none of them: threads left early, the counted launch had more
// to do than the timed ones, or launches have become faster. None where nothing remains.
std::optional<FlatRoof> flat_roof(const results::Run& run,
                                  const std::vector<const results::CaseRecord*>& records);

}  // namespace camber::report
