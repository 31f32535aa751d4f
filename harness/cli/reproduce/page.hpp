// A reproduced table for people, ratios first.
#pragma once

#include <string>

#include "harness/cli/reproduce/page_text.hpp"
#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

std::string reproduction_page(const Reproduction& reproduction, PageFormat format);

// The sentence below a table in which something makes no difference.
std::string no_difference_rule();

// One line for every table.
std::string published_tables_page(const std::vector<published::Table>& tables, PageFormat format);

}  // namespace camber
