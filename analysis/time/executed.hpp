// Estimates the machine instructions that a kernel's warps execute, from its machine code and the
// memory instructions that the executor counted.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/time/code_regions.hpp"
#include "analysis/time/terms.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Instructions that a warp executes, by class, with a key "total".
struct Executions {
    double rounds = 1;  // iterations of loops with accesses, at least 1
    std::map<std::string, double> instructions = {};  // on average
    // The same for the busiest warp of a block, which executes everything that any warp executes.
    std::map<std::string, double> most = {};
    // The same for a warp that takes the boundary forms of loops. Empty if the code was executed by
    // paths_taken().
    std::map<std::string, double> edge = {};
    // Share of the memory stalls in loops without stores to shared memory and without barriers. In
    // these loops, each warp of a block proceeds independently.
    double apart = 0;
    bool go_apart() const { return apart > 0.5; }
};

// Instructions executed by loops (see region_executions()), or by paths (see paths_taken()) if a
// warp iterates over no loop. Code without loops is a single region.
//
// `warps`: of the launch. `code`: with its instructions. `copies`: of loads from shared memory, see
// copies_executed().
Executions executions(const LaunchModel& counts, double warps, const results::Kernel& code,
                      double copies = 1, const ModelSettings& settings = {});

// Iterations of a kernel's loops, derived from the accesses that a warp makes.

// Instructions by class that a warp executes in one region, with "total".
struct RegionExecution {
    std::map<std::string, double> usual;
    std::map<std::string, double> most;  // for a warp that takes part in every iteration that any
                                         // warp executes
    std::map<std::string, double> edge;  // for a warp that executes boundary forms
    double rounds = 0;                   // iterations
};

// Returns executions by region. An access is executed as often as counted, so a loop that alone
// contains a kind is determined. If a loop contains several kinds, trust the one that implies the
// most iterations: an iteration takes one alternative. The rest is divided by these rules:
//
// - Among loops that may make accesses of a kind, loops with more accesses that no warp makes are
//   boundary forms and not executed. The form without boundary tests makes all of its accesses: if
//   some of its widths are not counted, the compiler has narrowed wider accesses.
// - An outer and an inner loop with accesses of one kind iterate over a neighborhood: for n
//   accesses the outer one has sqrt(n) iterations. Of an iteration's accesses, the inner loop makes
//   as many as fill whole iterations. The outer loop's copies, the remainder of an unrolled loop,
//   make the others: of its code, the geometric mean of their share and all is executed.
// - Two adjacent loops with the same accesses are forms of one, and the cheaper one is executed.
//   Code outside of loops then has forms, too: its executed share is that of its accesses of kinds
//   that no loop has.
// - All other loops have equal numbers of iterations.
//
// A loop without accesses has the counted number of iterations, and half of its skippable code is
// executed.
//
// If an iteration contains accesses that no warp makes, the code around them is not executed: the
// geometric mean of the share of the other accesses and all is used.
//
// Code outside of loops is executed once or, if it has more accesses than are counted, by the
// geometric mean of that share and all. If words are staged in shared memory, the staging code, an
// access and its address, follows its own accesses, and `copies` is the executed share of the
// computing code (see copies_executed()). Instructions that branches may skip and that touch no
// memory are omitted: a compiler predicates short code and branches around code worth skipping.
std::vector<RegionExecution> region_executions(const std::vector<results::CodeRegion>& regions,
                                               std::map<std::string, double> accesses,
                                               double copies = 1, const ModelSettings& settings = {});

// Control flow paths of a kernel's warps, derived from the accesses that they make. A linear
// program finds the cheapest flow through the basic blocks.

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
    Amounts usual;  // average
    Amounts most;   // of a warp that executes every piece of the code at least once
};

// Average executions of each basic block as a flow: inflow equals outflow. Among all flows
// that make the counted accesses, the one with the fewest instructions is taken (a linear
// program; Li and Malik 1995, "Performance Analysis of Embedded Software Using Implicit
// Path Enumeration", maximize in this way). Accesses are matched as by
// region_executions(), and predicated ones may be skipped. If the compiler has joined or
// split accesses, those of other widths substitute for them. A loop has at most two
// iterations per entry.
//
// nullopt if the flow is inconclusive: if more than a twentieth of the accesses cannot be made, or
// if all warps make the same whole numbers of accesses and the flow divides warps between paths all
// the same. An unrolled loop with its remainder is such code.
std::optional<PathExecution> paths_taken(const std::vector<results::BasicBlock>& blocks,
                                         const Amounts& accesses);

}  // namespace camber
