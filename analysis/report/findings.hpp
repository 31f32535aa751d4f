// What a report says first.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

// The data set that a report opens on, as a place in Report::groups: the one with the most
// variants; of equals the newest file's, then the first. 0 where there is none.
std::size_t opening_group(const Report& report);

// How much was measured on what.
std::string lead(const Report& report);

// At most five findings, a sentence or two each, in this order; what the files do not tell is left
// out:
//   1. the fastest variant of the data set that the report opens on
//   2. what holds that variant back, by the rule of profile::diagnose
//   3. the largest gain over a baseline, in all data sets
//   4. the timed case whose samples spread most: the interquartile range over the median
//   5. how many cases are verified, failed and were skipped
std::vector<std::string> findings(const Report& report);

}  // namespace camber::report
