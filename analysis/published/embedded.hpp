// Published tables, GPU data sheets and measured GPU ceilings that are compiled into the program:
// results/published/*.json, results/published-cards/*.json and results/cards/*.json. The build
// generates the definitions.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace camber::published {

// Name and contents of each published table, sorted by name.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_files();
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_cards();
// Ceilings that camber measured on real GPUs.
const std::vector<std::pair<std::string_view, std::string_view>>& embedded_measured_cards();

}  // namespace camber::published
