// Text about measured cases: the line printed during a measurement, notes on flows that were
// verified by statistics, and the table of a launch's kernels.
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/facts.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Text that is printed while cases are measured, and the breakdown of the wall time.

// One line for a case after its first visit: variant, time per generation, bandwidth. "" after
// later visits, and for cases without times.
std::string row_of(const results::CaseRecord& record);

// "time: 12.4 s (reference 1.2, limits 3.0, ...)". Parts below one percent are combined as "other".
std::string line_of(const results::WallTime& wall);

// Notes below a run's table about flows that were compared as a whole.

// True if cells differ from the reference but the case passed as a whole.
bool decided_by_statistics(const results::CaseRecord& record);

// One line for each case that statistics decided, with the figures and their limits; the spread of
// cases whose runs differ; and the fit with the real event if available, only once if all cases
// have the same.
std::string flow_notes(const std::vector<const results::CaseRecord*>& cases);

// Kernels of a launch, one per line: time, memory traffic, and agreement with the model.

// Table, followed by a line for each quantity that differs from its prediction; every line starts
// with two blanks. "" without kernels.
std::string kernel_table(const std::vector<profile::KernelTraffic>& kernels);

// kernel_table() of the document's fastest case with several kernels and counters, with its name as
// heading. "" if there is none.
std::string kernels_of_fastest(const results::Document& document);

}  // namespace camber
