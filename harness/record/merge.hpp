// Joins measurements of one case: from several rounds, processes and repetitions.
#pragma once

#include <cstdint>

#include "harness/record/document.hpp"

namespace camber::results {

// Joins a case to the document's case of the same name and repetition, or appends it: its samples,
// visits, kernel times and device states come after those that are there; statistics, rates and
// gaps follow from all of them. A case that failed stands, whatever others found; what was measured
// once (counters, model) stays. `seed`: of the statistics' intervals.
void merge(Document& document, CaseRecord record, std::uint64_t seed);

// Gives the document's case of the same name and repetition what was counted of it after it was
// timed: kernel times, counters and model.
void add_counts(Document& document, const CaseRecord& record);

// Makes one case of the repetitions of each, as an analysis takes them: those of Google Benchmark,
// each of which is one sample, and its aggregates where there is nothing else.
void merge_repetitions(Document& document);

}  // namespace camber::results
