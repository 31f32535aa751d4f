// Explains in a clause why one variant is faster than another.
#pragma once

#include <string>

#include "analysis/profile/facts.hpp"

namespace camber::profile {

// Differing parts of two names: "shared_tile" and "halo" for life/shared_tile/16x16 and
// life/halo/16x16. Whole names if one has no part of its own.
struct DistinctNames {
    std::string first;
    std::string second;
};
DistinctNames distinct_names(const std::string& first, const std::string& second);

// Clause based on counters per generation and the limits derived from them: the amounts that the
// slower variant has more of, those it saves nevertheless, those that are equal, and the limit of
// each variant. "no counters" if the two share none.
std::string reason(const Facts& slower, const Facts& faster);

}  // namespace camber::profile
