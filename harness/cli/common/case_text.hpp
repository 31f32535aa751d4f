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

// What a person reads while cases are measured, and what the time went to.

// One line for a case after its first visit: variant, time of a generation, bandwidth. "" after
// later visits, and for cases that have no times.
std::string row_of(const results::CaseRecord& record);

// "time: 12.4 s (reference 1.2, limits 3.0, ...)", with the parts that are at least a hundredth of
// it; the rest stands under "other".
std::string line_of(const results::WallTime& wall);

// What a run prints below its table of flows that were compared as a whole.

// Whether cells differ from the reference's and the case passed as a whole.
bool decided_by_statistics(const results::CaseRecord& record);

// A line for each case that passed: those that statistics decided, with the figures and their
// limits; the spread of those whose runs differ; and the fit with the real event where it is known,
// once where all have the same.
std::string flow_notes(const std::vector<const results::CaseRecord*>& cases);

// The kernels of a launch, line by line: what each takes and asks of memory, and whether the model
// had predicted it.

// The table, then a line for each quantity that was predicted otherwise; every line begins with two
// blanks. "" without kernels.
std::string kernel_table(const std::vector<profile::KernelTraffic>& kernels);

// That table of the document's fastest case that has several kernels and was counted, under a
// heading with its name. "" where there is none.
std::string kernels_of_fastest(const results::Document& document);

}  // namespace camber
