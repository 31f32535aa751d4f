// Estimates the machine instructions that a kernel's warps execute, from its machine code and the
// memory instructions that the executor counted.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Average number of executions of a kernel's instructions by a warp.
struct Executions {
    double usual = 1;
    double low = 1;
    double high = 1;
    double rounds = 1;  // iterations of loops with accesses, at least 1
    // Average instructions of a warp on the usual path, by class, with a key "total".
    std::map<std::string, double> instructions = {};
    // The same for the busiest warp of a block, which executes everything that any warp executes.
    // Empty if the code's loops and schedule are unknown.
    std::map<std::string, double> most = {};
    // The same for a warp that takes the boundary forms of loops. Empty if no loop has one.
    std::map<std::string, double> edge = {};
    // Executed pieces of code. A warp completes each piece before it repeats or leaves it: a loop
    // with its inner loops, or all code outside of loops.
    struct Piece {
        double instructions = 0;  // over all iterations
        double bytes = 0;
    };
    std::vector<Piece> pieces = {};
    // Share of the memory stalls in loops without stores to shared memory and without barriers. In
    // these loops, each warp of a block proceeds independently.
    double apart = 0;
    bool go_apart() const { return apart > 0.5; }
};

// Memory instructions indicate the executed code: r executions per memory instruction of the code.
//
// r > 1: loops; all code is taken as inside of them. r < 1: some branches are not taken. Skipped
// code may have more or fewer memory instructions than the rest, so anything between r and 1 is
// possible; the geometric mean is used. r = 1: all code is executed, except paths for rare data,
// such as special cases of a quotient. Loads from shared memory count at most as often as the
// stores indicate, because the compiler keeps words in registers.
//
// If the code's skippable instructions are known (a branch may jump over them and they touch no
// memory, results::Kernel), they are taken as those rare paths: a compiler predicates short code
// and branches around code worth skipping. They are omitted and count only in `high`. If they are
// unknown, nothing is omitted except in `low`: a third of the code, or three quarters if at least 8
// % of it are branches.
//
// If a block stages words in shared memory, counts indicate more. Staging code has one instruction
// per access and one for its address, and its own accesses determine its executed share. Code that
// computes from the staged words is executed. If the source does so at several locations, for a
// tile's interior and for parts of its halo, `copies` of it are executed: the share of these
// locations that a warp visits.
//
// `warps`: of the launch. `code`: with its instructions. `copies`: of loads from shared memory, see
// copies_executed().
Executions executions(const AccessCounts& counts, double warps, const results::Kernel& code,
                      double copies = 1);

// The same, but by loops (see region_executions()) if the code's loops are known, and by paths (see
// paths_taken()) if its branches are known and a warp iterates over no loop.
Executions executions(const LaunchModel& counts, double warps, const results::Kernel& code,
                      double copies = 1);

// Number of the code's instructions in these classes, named as in results files.
double instructions(const results::Kernel& code, std::initializer_list<const char*> classes);

}  // namespace camber
