// Control flow paths of a kernel's warps, derived from the accesses that they make.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/time/access_amounts.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Instructions of a warp by class, with a key "total".
struct PathExecution {
    Amounts usual;    // on average
    Amounts most;     // of one that goes through all of the text, each piece once at least
    double high = 0;  // instructions, with those that branches may skip
};

// Average executions of each basic block as a flow: inflow equals outflow. Among all flows
// that make the counted accesses, the one with the fewest instructions is taken (a linear
// program; Li and Malik 1995, "Performance Analysis of Embedded Software Using Implicit
// Path Enumeration", maximize in this way). Accesses are matched as by
// region_executions(), and predicated ones may be skipped. If the compiler has joined or
// split accesses, those of other widths substitute for them. A loop has at most two
// iterations per entry.
//
// nullopt if the flow is inconclusive: if more than a twentieth of the accesses cannot be made, if
// all accesses of the code are made, or if all warps make the same whole numbers of accesses and
// the flow divides warps between paths all the same. An unrolled loop with its remainder is such
// code.
std::optional<PathExecution> paths_taken(const std::vector<results::BasicBlock>& blocks,
                                         const Amounts& accesses);

}  // namespace camber
