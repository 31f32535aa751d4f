// A reproduced table for people, ratios first.
#pragma once

#include <string>

#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

enum class PageFormat { table, markdown };

std::string reproduction_page(const Reproduction& reproduction, PageFormat format);

// One line for every table.
std::string published_tables_page(const std::vector<published::Table>& tables, PageFormat format);

}  // namespace camber
