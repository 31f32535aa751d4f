// The account of a conserved quantity as a run prints it.
#pragma once

#include <string>
#include <vector>

#include "harness/record/context.hpp"

namespace camber {

// At most `rows` of the account's rows, the intervals between them added up, and a last line with
// the sums. "" where no account is kept.
std::string account_table(const std::vector<results::AccountRow>& account, int rows = 8);

}  // namespace camber
