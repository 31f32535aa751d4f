// Amounts of instructions by class, and of accesses by space, direction and the bytes that a lane
// takes at once: "global_loads_16".
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

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

}  // namespace camber
