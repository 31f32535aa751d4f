// What a run prints below its table of flows that were compared as a whole.
#pragma once

#include <string>
#include <vector>

#include "harness/record/case_record.hpp"

namespace camber {

// Whether cells differ from the reference's and the case passed as a whole.
bool decided_by_statistics(const results::CaseRecord& record);

// A line for each case that passed: those that statistics decided, with the figures and their
// limits; the spread of those whose runs differ; and the fit with the real event where it is known,
// once where all have the same.
std::string flow_notes(const std::vector<const results::CaseRecord*>& cases);

}  // namespace camber
