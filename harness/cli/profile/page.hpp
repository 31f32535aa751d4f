// One page that explains a variant, or two variants side by side.
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/diagnosis.hpp"

namespace camber {

struct ProfiledCase {
    std::string problem;  // e.g. "life 2048x2048, uint32 cells, dead boundary"
    profile::Facts facts;
    profile::Diagnosis diagnosis;
};

// At most 60 lines of at most 100 columns for one or two cases; with two, a third column holds the
// first's value over the second's. `remarks`: sentences that stand before the explanation, such as
// why there are no counters.
std::string profile_page(const std::vector<ProfiledCase>& cases,
                         const std::vector<std::string>& remarks);

}  // namespace camber
