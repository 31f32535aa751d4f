// The fields of what was timed, for the structures that have it.
#pragma once

#include "harness/record/archive.hpp"
#include "harness/record/case_record.hpp"

namespace camber::results {

void fields(Writer& a, const Samples& samples);
void fields(Reader& a, Samples& samples);
void fields(Writer& a, const KernelTimes& times);
void fields(Reader& a, KernelTimes& times);
void fields(Writer& a, const Interval& interval);
void fields(Reader& a, Interval& interval);

}  // namespace camber::results
