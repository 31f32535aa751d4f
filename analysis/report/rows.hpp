// Rows of a report: converts a measured case to a row, and computes the flat roof of a roofline
// (the update rate that no row of a data set can exceed).
#pragma once

#include <optional>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

// Converts a case to a row. `run`: the run that measured the case; may be null.
Row row_of(const results::CaseRecord& record, const results::Run* run);

// Flat roof of a roofline: the update rate that no case of a data set can exceed, however few bytes
// it moves. It is the lower of
//
//   arithmetic  issue slots, FP32 or FP64, whichever limits a case first; the highest of these
//               rates over all cases. Based on counted instructions, else estimated: each thread
//               executes the machine code of its kernel once, only for cases of one generation per
//               launch and at most 4 cells per thread, whose code has no long loops.
//   launches    for the case with the most cells per launch, one empty launch per kernel. Omitted
//               if more than 100 times above the fastest case.
//
// A rate below the fastest case is discarded: threads exited early, the counted launch had more
// work than the timed ones, or launches have become faster. Absent if no rate remains.
std::optional<FlatRoof> flat_roof(const results::Run& run,
                                  const std::vector<const results::CaseRecord*>& records);

}  // namespace camber::report
