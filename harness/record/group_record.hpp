// A group of places as results tell of it.
#pragma once

#include "harness/registry/division.hpp"
#include "harness/record/case_record.hpp"

namespace camber::results {

// As it was chosen; nothing is measured yet.
GroupRecord recorded(const GroupChoice& group, bool on_device);

}  // namespace camber::results
