// Description of a device group in result files.
#pragma once

#include "harness/record/case_record.hpp"
#include "harness/registry/division.hpp"

namespace camber::results {

// Records the group as it was chosen, before anything is measured.
GroupRecord recorded(const GroupChoice& group, bool on_device);

}  // namespace camber::results
