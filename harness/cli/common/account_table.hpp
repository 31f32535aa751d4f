// The account of a conserved quantity as a run prints it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace camber {

// `account`: Ledger::to_json(), or null, which gives "". At most `rows` of its rows, the intervals
// between them added up, and a last line with the sums.
std::string account_table(const nlohmann::ordered_json& account, int rows = 8);

}  // namespace camber
