// Findings of a report in sentences: the few key findings that a page opens with, and the full
// summary of its data.
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

// The key findings of a report, in sentences.

// Index in Report::groups of the data set that a report opens on: the one with the most variants;
// on a tie the newest file's, then the first. 0 if there is none.
std::size_t opening_group(const Report& report);

// Number of cases, files and data sets, and the devices.
std::string lead(const Report& report);

// At most five findings of one or two sentences each, in this order; a finding without data is
// omitted:
//   1. the fastest variant of the data set that the report opens on
//   2. the limiting resource of that variant, by the rule of profile::diagnose
//   3. the largest gain over a baseline, in all data sets
//   4. the noisiest timed case: largest interquartile range relative to the median
//   5. the number of verified, failed and skipped cases
std::vector<std::string> findings(const Report& report);

}  // namespace camber::report
