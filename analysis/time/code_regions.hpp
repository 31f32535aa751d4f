// Executions of a kernel's code regions: a warp's memory accesses by kind and width, compiled
// copies of a call site, and loops that replace others at the board's edge. Loop and path analysis
// use these parts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// Number of instructions by class, and of accesses by space, direction and bytes per lane:
// "global_loads_16".
using Amounts = std::map<std::string, double>;

inline constexpr std::array<std::string_view, 4> kinds_with_width{"global_loads", "global_stores",
                                                                  "shared_loads", "shared_stores"};

// Average memory instructions of a warp, and its counted iterations of loops without accesses,
// keyed by the names that code regions use. The width per lane follows from the bytes that the
// lanes of a call site request; for shared memory it follows from the minimum number of
// passes.
Amounts accesses_of_a_warp(const LaunchModel& counts, double warps);

// Instructions in the code of a region.
Amounts text_of(const results::CodeRegion& region);

// Regions without the loops that have no accesses and no counted iterations: the code of these is
// added to the enclosing region. Empty if no loop remains.
std::vector<results::CodeRegion> counted_regions(const std::vector<results::CodeRegion>& regions,
                                                 const Amounts& accesses);

// True if the name "global_loads_16" is of the kind "global_loads".
bool is_of(std::string_view name, std::string_view kind);
bool is_access(std::string_view name);
double total_of(const Amounts& amounts, std::string_view kind);
double amount_of(const Amounts& amounts, const std::string& name);  // 0 if absent

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

// Finds boundary forms of loops. A longer loop is the boundary form of another one if its
// iterations read as much and a warp iterates over it far less often.
class FormsForEdge {
  public:
    // `rounds`: average iterations of a warp, by region.
    FormsForEdge(const std::vector<results::CodeRegion>& regions, std::vector<double> rounds);

    bool is_form(std::size_t region) const { return usual_of(region).has_value(); }
    // Number of iterations of a warp at the board's edge.
    double rounds(std::size_t region) const;

  private:
    std::optional<std::size_t> usual_of(std::size_t form) const;

    std::vector<double> rounds_;
    std::vector<std::optional<std::size_t>> forms_;  // by region: the usual form of a boundary form
};

}  // namespace camber
