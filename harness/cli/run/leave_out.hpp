// Selection for `camber run --leave-out-hopeless`: variants whose predicted times show that they
// are dominated.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Throws Error(usage) for options that require --leave-out-hopeless, and for options whose times
// cannot be predicted.
void check_leave_out(const RunOptions& options);

// Marks the dominated variants in each study. Returns one line for each study: their number and the
// variant that they are compared with, or the reason why none is left out. Throws Error(usage) if
// the ceilings in a file are not sufficient to predict times, Stopped if the process is to end.
std::vector<std::string> leave_out(std::vector<Study>& studies, const RunOptions& options);

// "52 of 79 variants are left out".
std::string left_out_text(std::size_t left_out, std::size_t variants);

// Removes from an earlier run's results the variants that it left out and the studies do not, so
// that they are measured.
void take_back(results::Document& document, const std::vector<Study>& studies);

}  // namespace camber
