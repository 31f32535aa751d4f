// Estimates the machine instructions that a kernel's warps execute, from its machine code and the
// memory instructions that the executor counted.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/time/terms.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Number of instructions by class with a key "total", and of accesses by space, direction and bytes
// per lane: "global_loads_16".
using Amounts = std::map<std::string, double>;

// 0 if the name is absent.
template <class Amount>
double amount_of(const std::map<std::string, Amount>& amounts, std::string_view name) {
    const auto found = amounts.find(std::string(name));
    return found == amounts.end() ? 0 : static_cast<double>(found->second);
}

template <class Amount>
double sum_of(const std::map<std::string, Amount>& amounts,
              std::initializer_list<std::string_view> names) {
    double sum = 0;
    for (const std::string_view name : names) sum += amount_of(amounts, name);
    return sum;
}

// True if the name "global_loads_16" is of the kind "global_loads".
bool is_of(std::string_view name, std::string_view kind);
bool is_access(std::string_view name);

// Average memory instructions of a warp, and its counted iterations of loops without accesses. The
// width per lane follows from the bytes that the lanes of a call site request; for shared memory it
// follows from the minimum number of passes.
Amounts accesses_of_a_warp(const LaunchModel& counts, double warps);

// Regions without the loops that have no accesses and no counted iterations: the code of these is
// added to the enclosing region. Empty if no loop remains.
std::vector<results::CodeRegion> counted_regions(std::vector<results::CodeRegion> regions,
                                                 const Amounts& accesses);

// The memory instructions of one call site.
struct SiteExecutions {
    int place = 0;     // identifies the source line, regardless of the call stack
    double warps = 0;  // warps that executed it, once per execution
};

// Executed share of the compiled copies of a source location. A function that is called from
// several locations is compiled into each of them, and a warp executes the copies of the branches
// that it takes. The most executed copy is taken as executed by all warps. Returns its share of the
// accesses in all copies; 1 without sites.
double copies_executed(const std::vector<SiteExecutions>& sites);

// Instructions that a warp executes, of all code or of one region.
struct Executions {
    Amounts instructions = {};  // on average
    // The same for the busiest warp of a block, which executes everything that any warp executes.
    Amounts most = {};
    // The same for a warp that takes the boundary forms of loops. Empty for paths_taken().
    Amounts edge = {};
    double rounds = 1;  // iterations; of all code, those of loops with accesses, at least 1
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

// Returns executions by region. An access is executed as often as counted, so a loop that alone
// contains a kind is determined. If a loop contains several kinds, trust the one that implies the
// most iterations: an iteration takes one alternative. loops.cpp has the rules for the rest; if
// none applies, all loops have equal numbers of iterations. Of an iteration with accesses that no
// warp makes, and of code outside of loops with more accesses than are counted, the geometric mean
// of the executed accesses' share and all is executed. Instructions that branches may skip and that
// touch no memory are omitted: a compiler predicates short code and branches around code worth
// skipping.
std::vector<Executions> region_executions(const std::vector<results::CodeRegion>& regions,
                                          Amounts accesses, double copies = 1,
                                          const ModelSettings& settings = {});

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

// Average executions of each basic block as a flow: inflow equals outflow. Among all flows that
// make the counted accesses, the one with the fewest instructions is taken (a linear program; Li
// and Malik 1995, "Performance Analysis of Embedded Software Using Implicit Path Enumeration",
// maximize in this way). Predicated accesses may be skipped. If the compiler has joined or split
// accesses, those of other widths substitute for them. A loop has at most two iterations per entry.
//
// nullopt if the flow is inconclusive: if more than a twentieth of the accesses cannot be made, or
// if all warps make the same whole numbers of accesses and the flow divides warps between paths all
// the same. An unrolled loop with its remainder is such code.
std::optional<Executions> paths_taken(const std::vector<results::BasicBlock>& blocks,
                                      const Amounts& accesses);

}  // namespace camber
