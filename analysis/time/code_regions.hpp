// Executions of a kernel's code regions: a warp's memory accesses by kind and width, compiled
// copies of a call site, loops that replace others at the board's edge, and rows split between an
// unrolled loop and its remainder. Loop and path analysis use these parts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Amounts of instructions by class, and of accesses by space, direction and the bytes that a lane
// takes at once: "global_loads_16".
using Amounts = std::map<std::string, double>;

inline constexpr std::array<std::string_view, 4> kinds_with_width{"global_loads", "global_stores",
                                                                  "shared_loads", "shared_stores"};

// Average memory instructions of a warp, and its counted iterations of loops without accesses,
// keyed by the names that code regions use. The width per lane follows from the bytes that the
// lanes of a call site request; for shared memory it follows from the minimum number of
// passes.
Amounts accesses_of_a_warp(const LaunchModel& counts, double warps);

// A region's text.
Amounts text_of(const results::CodeRegion& region);

// Without the loops that have no accesses, unless their rounds were counted: their text belongs to
// what is around them. Empty where no loop is left.
std::vector<results::CodeRegion> counted_regions(const std::vector<results::CodeRegion>& regions,
                                                 const Amounts& accesses);

// "global_loads_16" is of the kind "global_loads".
bool is_of(std::string_view name, std::string_view kind);
bool is_access(std::string_view name);
double total_of(const Amounts& amounts, std::string_view kind);
double amount_of(const Amounts& amounts, const std::string& name);  // 0 where there is none

// Number of compiled copies of a source location that a warp executes.

// The memory instructions of one call site.
struct SiteExecutions {
    int place = 0;     // a number for its line in the source, whatever calls led to it
    double warps = 0;  // that executed it, counted once for each time
};

// A function that is called from several locations is compiled into each of them, and a warp
// executes the copies of the branches that it takes. The most executed copy is taken as executed by
// all warps. Returns its share of the accesses in all copies; 1 without sites.
double copies_executed(const std::vector<SiteExecutions>& sites);

// Splits a row of a neighborhood between an unrolled loop and its remainder.

// A neighborhood of so many accesses in so many rows, of which an inner loop makes `unrolled` in a
// round, and what is left beside it the rest of a row.
struct RowSplit {
    double rows;
    double whole;  // rounds of the inner loop for a row
    double rest;

    RowSplit(double accesses, double of_rows, double unrolled)
        : rows(of_rows),
          whole(std::floor(accesses / rows / unrolled + 1e-2)),
          rest(std::max(0.0, accesses / rows - whole * unrolled)) {}
    double inner_rounds() const { return rows * whole; }
};

// Finds loops that replace other loops at the board's edge.

// A longer loop is the boundary form of another one if its iterations read as much, and a warp
// iterates over it far less often.
class FormsForEdge {
  public:
    // `rounds`: of a warp on average, by region.
    FormsForEdge(const std::vector<results::CodeRegion>& regions, std::vector<double> rounds);

    bool is_form(std::size_t region) const { return usual_of(region).has_value(); }
    // Number of iterations of a warp at the board's edge.
    double rounds(std::size_t region) const;

  private:
    std::optional<std::size_t> usual_of(std::size_t form) const;

    std::vector<double> rounds_;
    std::vector<std::optional<std::size_t>> forms_;  // by region, in its place
};

}  // namespace camber
