// The radius of the neighbourhoods that a case computed.
#pragma once

#include "harness/record/case_record.hpp"

namespace camber {

// 0 where the workload's neighbourhoods have no radius, or what they follow from is nothing that
// camber knows.
int radius_of(const results::Identity& of);

}  // namespace camber
