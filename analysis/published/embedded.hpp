// The files results/published/*.json, inside the program. The definition is generated.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace camber::published {

// Name and text of each, by name.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_files();

}  // namespace camber::published
