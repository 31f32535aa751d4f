// Selection for `camber run --leave-out-hopeless`: variants whose predicted times show that they
// are dominated.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Throws Error(usage) for options that mean nothing without --leave-out-hopeless, and for those
// under which a prediction says nothing of the times that are measured.
void check_leave_out(const RunOptions& options);

// Notes in each study which variants are not to be measured. A line for each study: how many, and
// what they are compared with, or why none is left out. Throws Error(usage) where the limits of a
// file do not tell times, Stopped where work is to end.
std::vector<std::string> leave_out(std::vector<Study>& studies, const RunOptions& options);

// "52 of 79 variants are left out"
std::string left_out_text(std::size_t left_out, std::size_t variants);

// Takes out of the results of an earlier run what it left out and the studies do not, which is then
// to be measured.
void take_back(results::Document& document, const std::vector<Study>& studies);

}  // namespace camber
