// Results as JSON for services that track benchmarks over commits: Bencher and
// github-action-benchmark.
#pragma once

#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// Bencher Metric Format: for each case "latency", in ns per generation with its 95 % interval, and
// the deterministic quantities under names with hyphens: "global-load-sectors". Cases that failed
// or were skipped are omitted. Throws Error(usage) if no case has a value.
std::string to_bencher(const std::vector<results::Document>& documents);

// List for the tool customSmallerIsBetter of github-action-benchmark: one element for the time of
// each case, and one for each of its deterministic quantities. Same cases and errors.
std::string to_github_action_benchmark(const std::vector<results::Document>& documents);

}  // namespace camber
