// The fields of a prediction, for the structures that have one.
#pragma once

#include "harness/record/archive.hpp"

namespace camber::results {

void fields(Writer& a, const ModelRecord& model);
void fields(Reader& a, ModelRecord& model);

}  // namespace camber::results
