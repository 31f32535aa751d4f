// Tables of a report: ranked for people as Markdown and LaTeX, complete for programs as CSV and JSON.
#pragma once

#include <string>

#include "analysis/report/report.hpp"

namespace camber::report {

// One heading and one table per group, in GitHub-flavored Markdown.
std::string to_markdown(const Report& report);

// One longtable per group with the rules of booktabs, to be \input into a document that uses the
// packages booktabs and longtable.
std::string to_latex(const Report& report);

// One line per case under a single header with units in the column names, in RFC 4180 format except
// for line feeds. Numbers have all digits of the file; an absent value is an empty field.
std::string to_csv(const Report& report);

// The same as an array with one object per case; an absent value is null.
std::string to_json(const Report& report);

}  // namespace camber::report
