// A variant's final state as a whole against the reference's, for runs so long that values cannot
// be compared one by one.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/record/verification.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Adds to a comparison of values which of its figures are beyond `limits` (BulkFigures), and lets
// it pass where none is. The account of `actual` becomes that of `expected`. Returns what the
// variant came to itself where it passed so.
std::optional<FinalState> judge_figures(const Workload& workload, const State& expected,
                                        State& actual, const std::map<std::string, double>& limits,
                                        Verification& found);

}  // namespace camber
