// Published tables and what camber has of them as JSON, for programs.
#pragma once

#include <string>
#include <vector>

#include "analysis/published/questions.hpp"
#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

// An object of one reproduction, a list of several.
std::string reproductions_text(const std::vector<Reproduction>& all);
// A list of sources, and of their conclusions on every card.
std::string questions_text(const std::vector<published::SourceQuestions>& sources,
                           const std::vector<published::Card>& cards);
// The list of all tables.
std::string tables_text(const std::vector<published::Table>& tables);

}  // namespace camber
