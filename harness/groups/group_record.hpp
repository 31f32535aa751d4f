// A group of places as results tell of it.
#pragma once

#include "harness/record/case_record.hpp"
#include "harness/registry/division.hpp"

namespace camber::results {

// As it was chosen; nothing is measured yet.
GroupRecord recorded(const GroupChoice& group, bool on_device);

}  // namespace camber::results
