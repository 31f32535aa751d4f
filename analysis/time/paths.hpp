// Control flow paths of a kernel's warps, derived from the accesses that they make.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/time/access_amounts.hpp"
#include "harness/results/case_record.hpp"

namespace camber {

// Instructions of a warp by class, with a key "total".
struct PathExecution {
    Amounts usual;    // on average
    Amounts most;     // of one that goes through all of the text, each piece once at least
    double high = 0;  // instructions, with those that branches may skip
};

// How often a warp goes through each basic block, on average, is a flow: what comes into a block
// goes on from it. Of all flows that make the accesses as often as they are counted, the one with
// the fewest instructions is taken (a linear program; Li and Malik 1995, "Performance Analysis of
// Embedded Software Using Implicit Path Enumeration", ask for the most in this way). Accesses are
// told apart as by region_executions(), and those behind a predicate may be passed. Where the
// compiler has joined or split accesses, those of other widths stand in for them. A loop is gone
// through twice per entry at most.
//
// Nothing where the flow tells nothing: where more than a twentieth of the accesses cannot be made
// so, where all that the text has are made, or where all warps make the same whole numbers of them
// and the flow divides warps between ways all the same. An unrolled loop with what is left of it is
// such a text.
std::optional<PathExecution> paths_taken(const std::vector<results::BasicBlock>& blocks,
                                         const Amounts& accesses);

}  // namespace camber
