// Number of compiled copies of a source location that a warp executes.
#pragma once

#include <vector>

namespace camber {

// The memory instructions of one call site.
struct SiteExecutions {
    int place = 0;     // a number for its line in the source, whatever calls led to it
    double warps = 0;  // that executed it, counted once for each time
};

// A function that is called from several locations is compiled into each of them, and a warp
// executes the copies of the branches that it takes. The most executed copy is taken as executed by
// all warps. Returns its share of the accesses in all copies; 1 without sites.
double copies_executed(const std::vector<SiteExecutions>& sites);

}  // namespace camber
