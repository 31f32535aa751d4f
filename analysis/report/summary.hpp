// The report in sentences, computed from its data.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

std::string counted(std::size_t count, const char* thing);  // "1 case", "2 cases"

// Number of measured counters that match their predictions, over all groups.
struct CounterTally {
    std::size_t pairs = 0, equal = 0, within_tolerance = 0, deviating = 0;
};
CounterTally tally(const std::vector<Group>& groups);

// All findings: the fastest variant of each group; agreement with earlier files of the same group;
// failed and skipped cases with reasons; measured against predicted counters.
std::vector<std::string> summary(const Report& report);

}  // namespace camber::report
