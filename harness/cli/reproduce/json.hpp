// Published tables and what camber has of them as JSON, for programs.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

// An object of one reproduction, a list of several.
std::string reproductions_text(const std::vector<Reproduction>& all);
// The list of all tables.
std::string tables_text(const std::vector<published::Table>& tables);

}  // namespace camber
