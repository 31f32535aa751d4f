// The ranked tables of a report as text for other documents.
#pragma once

#include <string>
#include <string_view>

#include "analysis/report/report.hpp"

namespace camber::report {

// A heading and a table per group, in GitHub's Markdown.
std::string to_markdown(const Report& report);

// One longtable per group with the rules of booktabs, to be \input into a document that uses the
// packages booktabs and longtable.
std::string to_latex(const Report& report);

// One line per case under one header, units in the names, as RFC 4180 has it but with line feeds.
// Figures have all digits of the file; an absent one is empty.
std::string to_csv(const Report& report);

// With the characters that the format gives a meaning made harmless.
std::string escape_markdown(std::string_view text);
std::string escape_latex(std::string_view text);
std::string escape_csv(std::string_view text);

}  // namespace camber::report
