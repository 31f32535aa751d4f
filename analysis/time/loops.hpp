// Iterations of a kernel's loops, derived from the accesses that a warp makes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/time/access_amounts.hpp"
#include "harness/results/case_record.hpp"

namespace camber {

// Instructions by class that a warp executes in one region, with "total".
struct RegionExecution {
    std::map<std::string, double> usual;
    std::map<std::string, double> most;  // of a warp that is in every round that any warp is in
    std::map<std::string, double> edge;  // of a warp that takes forms for the board's edge
    double low = 0;                      // of all classes together
    double high = 0;
    double rounds = 0;  // times that it is gone through
};

// By region. An access is executed as often as it is counted, so that the loop that alone has
// accesses of a kind is known. Of several kinds in a loop that tells most which tells of the most
// rounds: of alternatives, a round takes one. What is left is divided so:
//
// - Of loops that may have made accesses of a kind, those that have more accesses which no warp
//   makes are forms for the board's edge, and are not taken. The form without tests for the edge
//   makes all of its own: where they have widths that are not counted, the compiler has narrowed
//   wider ones.
// - An outer loop and one inside of it that make accesses of one kind go over a neighborhood: with
//   n accesses the outer one goes sqrt(n) rounds, half to twice as many in the interval (which is
//   four times as wide as high, or as high as wide). Of a round's accesses the inner one makes as
//   many as fill whole rounds, and its copies in the outer one, which are what is left of an
//   unrolled loop, make the rest: of the outer one's text the geometric mean of their share and all
//   is executed. Where there are too few copies, an access costs what it costs in the inner loop.
// - Of two loops one behind the other with the same kinds, of which one has at least twice the
//   accesses, the larger is the unrolled one: it goes as many whole rounds as there are accesses
//   for, and the other makes the rest.
// - Two loops beside each other that have the same accesses are forms of one, and the cheaper is
//   taken. What stands in no loop then has forms, too: the share that is executed is that of its
//   accesses of kinds that no loop has.
// - All other loops go the same number of rounds; in the interval, the cheapest of them all, or the
//   dearest.
//
// A loop without accesses goes as many rounds as were counted, and half of what its branches may
// skip is executed.
//
// Of a round of a loop that has accesses which no warp makes, what goes with these is not executed:
// the geometric mean of the share of the others and all is taken.
//
// What stands in no loop is executed once, or, where it has more accesses than are counted, by the
// geometric mean of that share and all. Where words are staged in shared memory, what stages, an
// access and its address, goes by its own accesses, and `copies` is the share of what computes (see
// executions()).
std::vector<RegionExecution> region_executions(const std::vector<results::CodeRegion>& regions,
                                               std::map<std::string, double> accesses,
                                               double copies = 1);

}  // namespace camber
