// The fields of a verification, for the structures that have one.
#pragma once

#include "harness/record/archive.hpp"
#include "harness/record/verification.hpp"

namespace camber::results {

void fields(Writer& a, const Verification& verification);
void fields(Reader& a, Verification& verification);

}  // namespace camber::results
