// Why one variant is faster than another, in a clause.
#pragma once

#include <string>

#include "analysis/profile/facts.hpp"

namespace camber::profile {

// The parts of the two names that differ: "shared_tile" and "halo" of life/shared_tile/16x16 and
// life/halo/16x16. Whole names where one has no part of its own.
struct DistinctNames {
    std::string first;
    std::string second;
};
DistinctNames distinct_names(const std::string& first, const std::string& second);

// From counters per generation, and from the limits that follow from them: what the slower one has
// more of, what it saves all the same, what both have alike, and what holds each back. "no
// counters" where nothing was counted in both.
std::string reason(const Facts& slower, const Facts& faster);

}  // namespace camber::profile
