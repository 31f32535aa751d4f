// The ranked table that a run prints.
#pragma once

#include <string>

#include "harness/results/document.hpp"

namespace camber {

// "1.23 us", "1.234 ms" or "1.234 s".
std::string duration(double nanoseconds);

// Fastest first, then the cases that failed and that were skipped, each with its reason; of
// repeated measurements the one with the median time. On the simt backend, whose times say nothing
// of a GPU, the order is that of the document and no times are shown.
std::string ranking(const results::Document& document);

// How many cases of a document have this status.
int cases_with(const results::Document& document, results::Status status);

}  // namespace camber
