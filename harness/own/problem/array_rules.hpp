// Comparison rules of arrays from the command line: "y=ulp:4+nan:equal".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/core/named_arrays.hpp"

namespace camber {

// Rule of each output. `texts`: [NAME=]PART[+PART...] with the parts exact, abs:NUMBER, rel:NUMBER,
// ulp:NUMBER, nan:equal and nan:fail; without a name for all outputs. `tolerance`: absolute and
// relative tolerance of floating-point outputs without a rule; absent: by type. Throws Error(usage)
// for invalid texts and unknown names.
std::map<std::string, ArrayRule, std::less<>> array_rules(const std::vector<NamedArray>& arrays,
                                                          const std::vector<std::string>& texts,
                                                          std::optional<double> tolerance);

}  // namespace camber
