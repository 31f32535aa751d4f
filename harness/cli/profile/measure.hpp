// The measurement of the cases that a profile is of.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/document.hpp"

namespace camber {

struct MeasuredProfile {
    results::Document document;
    std::vector<std::string> remarks;  // sentences for the page: why there are no counters
};

// Measures `variants` (full names) with all counters. Throws Error(unavailable) without a GPU and
// Error(wrong_result) where a variant fails verification.
MeasuredProfile measure_profile(RunOptions options, const std::vector<std::string>& variants,
                                const CommandLine& command_line);

}  // namespace camber
