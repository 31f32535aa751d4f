// Which variants a profile is of, and where they stand in a results file.
#pragma once

#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// The one of `names` that `wanted`, a name with or without the workload in front or a glob, means.
// Throws Error(usage) where it means none or several. `place` completes "no variant ...".
std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place);

// The case of `variant` (a full name) under the usual conditions, its first repetition. Throws
// Error(usage) where it was not timed on a GPU.
const results::CaseRecord& case_of(const results::Document& document, const std::string& variant);

}  // namespace camber
