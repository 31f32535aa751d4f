// The fields of loops and blocks of a program text, for the structures that have them.
#pragma once

#include "harness/record/archive.hpp"
#include "harness/record/case_record.hpp"

namespace camber::results {

void fields(Writer& a, const CodeRegion& region);
void fields(Reader& a, CodeRegion& region);
void fields(Writer& a, const BasicBlock& block);
void fields(Reader& a, BasicBlock& block);

// Throws FormError where a region stands within one that is not there, or a basic block leads to
// one.
void check_text(const Kernel& kernel);

}  // namespace camber::results
