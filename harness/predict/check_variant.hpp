// Runs one variant on the SIMT executor under the checker.
#pragma once

#include <string>
#include <vector>

#include "harness/predict/finding.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

struct CheckResult {
    const Variant* variant = nullptr;
    Size size;
    std::string skipped;  // why it could not run; "" when it was checked
    std::vector<Finding> findings;

    bool clean() const { return skipped.empty() && findings.empty(); }
};

// Advances `initial` by `generations`. The output is poisoned before every launch, as in
// verification, and poison counts as unwritten: a cell that the variant leaves out is found after
// the launch, and again if the next one reads it. Keeps at most `examples` for each pair of sites.
// The result of one place is not compared with anything. That of several is, with that of one and
// after every launch, and so is what they hold of each other's rows; and work of their queues that
// nothing orders is found. Throws Stopped where work is to end.
CheckResult check_variant(const Variant& variant, const Problem& problem, const State& initial,
                          int generations, int examples);

// Bytes that checking a problem takes, about.
std::size_t check_memory_needed(const Problem& problem);

}  // namespace camber
