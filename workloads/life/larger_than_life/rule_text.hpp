// Rules of Larger than Life as texts: "R5,C0,M1,S34..58,B34..45,NM".
#pragma once

#include <string>
#include <string_view>

#include "workloads/life/larger_than_life/rule.hpp"

namespace camber {

// The rule that its paper calls Bosco's.
inline constexpr std::string_view bosco_rule = "R5,C0,M1,S34..58,B34..45,NM";

// Reads a rule as Golly and MCell write it, its parts in any order. M says whether the cell itself
// counts (M1) or not (M0, also without M); C, the number of states, is at most 2; N, the
// neighborhood, is the square (NM). Throws Error(usage), whose sentence calls the text `what`.
LargerThanLife::Parameters larger_than_life_rule(std::string_view text, std::string_view what);

// One spelling for each rule: as Golly writes it, with M1.
std::string rule_text(const LargerThanLife::Parameters& parameters);

}  // namespace camber
