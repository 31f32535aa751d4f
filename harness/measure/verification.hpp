// Every cell of a variant's result against the plain reference; a flow that has taken another
// course, as a whole.
#pragma once

#include <optional>
#include <string>

#include "harness/base/state.hpp"
#include "harness/record/verification.hpp"
#include "harness/registry/execution.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Compares all fields, bit by bit or within `tolerance`, on `threads` CPU threads; what is no
// number is always wrong. Where only the sum of a field's cells differs, every cell counts as
// differing. `generations` is only recorded.
Verification compare(const State& expected, const State& actual, const Tolerance& tolerance,
                     int generations, int threads);

// The same of an execution's state where it lies on its queue, without a download. nullopt where
// that cannot be done, and wherever a cell or a sum is not within `tolerance`: compare() then tells
// how.
std::optional<Verification> passed_in_place(const State& expected, const Execution& execution,
                                            Queue& queue, const Tolerance& tolerance,
                                            int generations);

// One sentence for a failed verification.
std::string describe(const Verification& verification);

}  // namespace camber
