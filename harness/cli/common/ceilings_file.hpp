// Ceilings of a device for --ceilings: from a file, or of a card that the program carries.
#pragma once

#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// Names of the cards that the program carries, measured ones first: "h100", "h200", "a100-80gb",
// ...
std::vector<std::string> card_names();

// Reads `file_or_card`: an existing file, else the card of that name in any case. Throws
// Error(usage) with the names of the cards if it is neither.
results::Document read_ceilings(const std::string& file_or_card);

}  // namespace camber
