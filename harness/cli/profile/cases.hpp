// Cases that a profile explains: selected from a results file, or measured with all counters.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Selection of the variants to profile, and of their cases in a results file.

// Returns the one of `names` that `wanted` selects: a name with or without the workload in front,
// or a glob. Throws Error(usage) if none or several match. `place` completes the error "no variant
// ...".
std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place);

// The first repetition of `variant` (a full name) under the default conditions. Throws Error(usage)
// if it was not timed on a GPU.
const results::CaseRecord& case_of(const results::Document& document, const std::string& variant);

// Measurement of the cases to profile.
struct MeasuredProfile {
    results::Document document;
    // Sentences for the page, such as the reason for missing counters.
    std::vector<std::string> remarks;
};

// Measures `variants` (full names) with all counters. Throws Error(unavailable) without a GPU and
// Error(wrong_result) if a variant fails verification.
MeasuredProfile measure_profile(RunOptions options, const std::vector<std::string>& variants,
                                const CommandLine& command_line);

}  // namespace camber
