// The fields of a group of places, for the structures that have one.
#pragma once

#include "harness/record/archive.hpp"
#include "harness/record/case_record.hpp"

namespace camber::results {

void fields(Writer& a, const GroupRecord& group);
void fields(Reader& a, GroupRecord& group);

}  // namespace camber::results
