// Text for runs without a GPU: the estimated duration, and the summary that replaces a row for
// every variant.
#pragma once

#include <optional>
#include <string>

#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Estimated duration of a run.

// Estimated seconds of the study's verified runs on the simt backend, derived from one generation
// of its first variant on a small board. nullopt on other backends, for small boards, and for
// boards from a file.
std::optional<double> simt_seconds(const Study& study);

// Sentence with the estimate if it exceeds ten seconds; "" otherwise. `fallback`: --backend auto
// chose this backend because there is no GPU.
std::string simt_forecast(const Study& study, bool fallback);

// Summary that `camber run` prints without a GPU instead of a row for every variant.

// True if the document has so many verified cases without times that a summary is easier to read.
bool has_many_verified(const results::Document& document);

// Count of verified cases, the variants with the least predicted memory traffic, and the commands
// to continue with. Failed and skipped cases are not listed. Predicts the traffic of all variants
// of `study`; a variant without a prediction is not listed.
std::string verified_summary(const Study& study, const results::Document& document);

}  // namespace camber
