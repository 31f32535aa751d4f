// Cases that a profile explains: selected from a results file, or measured with all counters.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Which variants a profile is of, and where they stand in a results file.

// The one of `names` that `wanted`, a name with or without the workload in front or a glob, means.
// Throws Error(usage) where it means none or several. `place` completes "no variant ...".
std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place);

// The case of `variant` (a full name) under the usual conditions, its first repetition. Throws
// Error(usage) where it was not timed on a GPU.
const results::CaseRecord& case_of(const results::Document& document, const std::string& variant);

// The measurement of the cases that a profile is of.
struct MeasuredProfile {
    results::Document document;
    std::vector<std::string> remarks;  // sentences for the page: why there are no counters
};

// Measures `variants` (full names) with all counters. Throws Error(unavailable) without a GPU and
// Error(wrong_result) where a variant fails verification.
MeasuredProfile measure_profile(RunOptions options, const std::vector<std::string>& variants,
                                const CommandLine& command_line);

}  // namespace camber
