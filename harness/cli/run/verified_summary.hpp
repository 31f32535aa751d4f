// Summary that `camber run` prints without a GPU instead of a row for every variant.
#pragma once

#include <string>

#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

// True if the document has so many verified cases without times that a summary is easier to read.
bool has_many_verified(const results::Document& document);

// Count of verified cases, the variants with the least predicted memory traffic, and the commands
// to continue with. Failed and skipped cases are not listed. Predicts the traffic of all variants
// of `study`; a variant without a prediction is not listed.
std::string verified_summary(const Study& study, const results::Document& document);

}  // namespace camber
