// The files results/published/*.json, results/published-cards/*.json and results/cards/*.json,
// inside the program. The definitions are generated.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace camber::published {

// Name and text of each, by name.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_files();
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_cards();
// Ceilings that camber measured itself.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_measured_cards();

}  // namespace camber::published
