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

// Comparability of results

// Difference between the program and the GPU of two runs, in words: "commit 1a2b3c4d5e6f against
// 0f9e8d7c6b5a", "NVIDIA H100 against NVIDIA H200". "" if commit, build, GPU, driver and CUDA are
// the same; without a GPU, the processor is compared.
std::string difference_of_origin(const Run& before, const Run& now);

// "156e18d0c9aa", with uncommitted changes "156e18d0c9aa (dirty)"; "unknown" if the build has no
// commit.
std::string commit_text(const Run& run);

// Formulas for derived figures

// Amount of work on which a case's rates are based.
struct Work {
    double cells = 0;                           // per generation
    double application_bytes_per_cell = 0;      // that a generation must move
    std::optional<double> step_bytes_per_cell;  // that the variant's own steps must move
};

Derived derive(const Work& work, double seconds_per_generation,
               std::optional<double> copy_bytes_per_second);

// Fills the sums over kernels and the launch gap: the time in samples, of `ns_per_generation` by
// events, beyond the kernels.
void sum_up(KernelTimes& times, double ns_per_generation);

// Kernel with the largest share of a launch's time, or the first kernel if no times are available;
// nullptr if there is no kernel.
const Kernel* leading_kernel(const CaseRecord& record);

// Adds speedups to all cases that were timed under the same conditions as a case of the variant
// `baseline`.
void add_speedups(std::vector<CaseRecord>& cases, const std::string& baseline);

// Merging of measurements of one case from several rounds, processes and repetitions

// Merges a case into the document's case with the same name and repetition, or appends it: samples,
// visits, kernel times and device states are appended; statistics, rates and gaps are computed from
// all of them. A failed case stays failed; data that are measured once (counters, model) are kept.
// `seed`: for the confidence intervals of the statistics.
void merge(Document& document, CaseRecord record, std::uint64_t seed);

// Adds to the document's case with the same name and repetition the data that were counted after
// timing: kernel times, counters and model.
void add_counts(Document& document, const CaseRecord& record);

// Merges the repetitions of each case into one case, for analyses: Google Benchmark's repetitions,
// each of which is one sample, or its aggregates if there is nothing else.
void merge_repetitions(Document& document);

}  // namespace camber::results
