// The numbers of units of a series, as --units gives them.
#pragma once

#include <string_view>
#include <vector>

namespace camber {

// "8,16,32" as numbers, ascending, each once. Throws Error(usage) for anything else, and for
// numbers outside of 1 to `most`.
std::vector<int> parse_unit_list(std::string_view text, int most);

}  // namespace camber
