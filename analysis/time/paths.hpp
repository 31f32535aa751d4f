// Control flow paths of a kernel's warps, derived from the accesses that they make. A linear
// program finds the cheapest flow through the basic blocks.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/time/code_regions.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// A linear program: nonnegative variables ("amounts") with costs, and linear conditions.
struct LinearProgram {
    enum class Relation { equal, at_most };
    struct Condition {
        std::vector<std::pair<std::size_t, double>> terms;  // index of the amount, factor
        Relation relation = Relation::equal;
        double bound = 0;
    };

    std::vector<double> costs;  // per unit of each amount
    std::vector<Condition> conditions;

    // Adds an amount; returns its index.
    std::size_t add(double cost) {
        costs.push_back(cost);
        return costs.size() - 1;
    }
};

// Amounts with the lowest total cost, by the two-phase simplex method (Dantzig 1963, "Linear
// Programming and Extensions", chapter 5; against cycles, Bland 1977, "New Finite Pivoting Rules
// for the Simplex Method"). nullopt if the conditions are infeasible or the cost is unbounded.
std::optional<std::vector<double>> cheapest(const LinearProgram& program);

// Instructions of a warp by class, with a key "total".
struct PathExecution {
    Amounts usual;    // average
    Amounts most;     // of a warp that executes every piece of the code at least once
    double high = 0;  // instructions, including those that branches may skip
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
