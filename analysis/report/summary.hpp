// The report in words, computed from its data.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

std::string counted(std::size_t count, const char* thing);  // "1 case", "2 cases"

// How the measured counters stand to the predicted ones, over all groups.
struct CounterTally {
    std::size_t pairs = 0, equal = 0, within_tolerance = 0, deviating = 0;
};
CounterTally tally(const std::vector<Group>& groups);

// All that can be said, in sentences: the best variant of each group; how earlier files of the same
// group agree; what failed and what was skipped, with reasons; what the counters say of the
// predictions.
std::vector<std::string> summary(const Report& report);

}  // namespace camber::report
