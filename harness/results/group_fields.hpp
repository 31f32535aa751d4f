// The fields of a group of places, for the structures that have one.
#pragma once

#include "harness/results/archive.hpp"
#include "harness/results/case_record.hpp"

namespace camber::results {

void fields(Writer& a, const GroupRecord& group);
void fields(Reader& a, GroupRecord& group);

}  // namespace camber::results
