// The fields of a loop of a program text, for the structures that have it.
#pragma once

#include "harness/results/archive.hpp"
#include "harness/results/case_record.hpp"

namespace camber::results {

void fields(Writer& a, const CodeRegion& region);
void fields(Reader& a, CodeRegion& region);

}  // namespace camber::results
