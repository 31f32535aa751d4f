// What a person reads while cases are measured, and what the time went to.
#pragma once

#include <string>

#include "harness/record/case_record.hpp"
#include "harness/record/wall_time.hpp"

namespace camber {

// One line for a case after its first visit: variant, time of a generation, bandwidth. "" after
// later visits, and for cases that have no times.
std::string row_of(const results::CaseRecord& record);

// "time: 12.4 s (reference 1.2, limits 3.0, ...)", with the parts that are at least a hundredth of
// it; the rest stands under "other".
std::string line_of(const results::WallTime& wall);

}  // namespace camber
