// Iterations of a kernel's loops, derived from the accesses that a warp makes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/time/code_regions.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Instructions by class that a warp executes in one region, with "total".
struct RegionExecution {
    std::map<std::string, double> usual;
    std::map<std::string, double> most;  // for a warp that takes part in every iteration that any
                                         // warp executes
    std::map<std::string, double> edge;  // for a warp that executes boundary forms
    double low = 0;                      // total of all classes
    double high = 0;
    double rounds = 0;  // iterations
};

// Returns executions by region. An access is executed as often as counted, so a loop that alone
// contains a kind is determined. If a loop contains several kinds, trust the one that implies the
// most iterations: an iteration takes one alternative. The rest is divided by these rules:
//
// - Among loops that may make accesses of a kind, loops with more accesses that no warp makes are
//   boundary forms and not executed. The form without boundary tests makes all of its accesses: if
//   some of its widths are not counted, the compiler has narrowed wider accesses.
// - An outer and an inner loop with accesses of one kind iterate over a neighborhood: for n
//   accesses the outer one has sqrt(n) iterations, half to twice as many in the interval (four
//   times as wide as high, or as high as wide). Of an iteration's accesses, the inner loop makes
//   as many as fill whole iterations. The outer loop's copies, the remainder of an unrolled loop,
//   make the others: of its code, the geometric mean of their share and all is executed. If there
//   are too few copies, an access costs as much as in the inner loop.
// - If one of two consecutive loops with the same kinds has at least twice the accesses, it is the
//   unrolled one: it makes as many whole iterations as there are accesses for, and the other one
//   makes the rest.
// - Two adjacent loops with the same accesses are forms of one, and the cheaper one is executed.
//   Code outside of loops then has forms, too: its executed share is that of its accesses of kinds
//   that no loop has.
// - All other loops have equal numbers of iterations.
//   At the lower end of the interval, only the cheapest of them runs; at the upper end, only the
//   most expensive one.
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
// computing code (see executions()).
std::vector<RegionExecution> region_executions(const std::vector<results::CodeRegion>& regions,
                                               std::map<std::string, double> accesses,
                                               double copies = 1);

}  // namespace camber
