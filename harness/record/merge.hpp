// Combination of measurements: comparison of their origin, figures derived from samples, and
// merging of rounds, processes and repetitions of one case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"
#include "harness/record/document.hpp"

namespace camber::results {

// Whether results may stand side by side as one measurement.

// How the program and the card behind two runs differ, in words: "commit 1a2b3c4d5e6f against
// 0f9e8d7c6b5a", "NVIDIA H100 against NVIDIA H200". "" where commit, build, card, driver and CUDA
// are the same; without a card, the processor counts.
std::string difference_of_origin(const Run& before, const Run& now);

// "156e18d0c9aa", with uncommitted changes " (dirty)"; "unknown" where the build did not say.
std::string commit_text(const Run& run);

// Figures that follow from measured ones: each formula once.

// What a case's rates are taken of.
struct Work {
    double cells = 0;                           // computed by one generation
    double application_bytes_per_cell = 0;      // that a generation must move
    std::optional<double> step_bytes_per_cell;  // that the variant's own steps must move
};

Derived derive(const Work& work, double seconds_per_generation,
               std::optional<double> copy_bytes_per_second);

// Fills the sums over kernels and the gap between two launches: what samples, of
// `ns_per_generation` by events, have beyond the kernels.
void sum_up(KernelTimes& times, double ns_per_generation);

// The kernel that most of a launch's time goes to, the first where no times are known; none where
// no kernel is.
const Kernel* leading_kernel(const CaseRecord& record);

// Speedups of all cases that were timed under the conditions of a case of the variant `baseline`.
void add_speedups(std::vector<CaseRecord>& cases, const std::string& baseline);

// Joins measurements of one case: from several rounds, processes and repetitions.

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
