// Where a profile's cases come from: a measurement now, or a results file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

// The one of `names` that `wanted`, a name with or without the workload in front or a glob, means.
// Throws Error(usage) where it means none or several. `place` completes "no variant ...".
std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place);

// A results document with the cases asked for.
struct ProfileSource {
    nlohmann::ordered_json document;
    std::vector<std::string> remarks;  // sentences for the page: why there are no counters
};

// Measures `variants` (full names) with all counters. Throws Error(unavailable) without a GPU and
// Error(wrong_result) where a variant fails verification.
ProfileSource measure_profile(RunOptions options, const std::vector<std::string>& variants,
                              const CommandLine& command_line);

// Reads a results file. Throws Error(usage) where it is none, Error(unavailable) where it cannot be
// opened.
nlohmann::ordered_json read_results(const std::string& path);

// The entry of benchmarks[] that holds `variant` (a full name), its first repetition. Throws
// Error(usage) where it was not timed on a GPU.
const nlohmann::ordered_json& case_of(const nlohmann::ordered_json& document,
                                      const std::string& variant);

}  // namespace camber
