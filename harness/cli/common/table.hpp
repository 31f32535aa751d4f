// The ranked table that a run prints.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// Fastest first, then the cases that failed and that were skipped, each with its reason; of
// repeated measurements the one with the median time. On the simt backend, whose times say nothing
// of a GPU, the order is that of the document and no times are shown.
//
// `order`: "time", "name" or "spread", the widest interval first. Ranks stay those by time.
std::string ranking(const results::Document& document, const std::string& order = "time");

// Notes below the table: cases verified by statistics, and failed and skipped cases with reasons.
std::string ranking_notes(const results::Document& document);

// How many cases of a document have this status.
int cases_with(const results::Document& document, results::Status status);

}  // namespace camber
