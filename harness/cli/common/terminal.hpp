// Text output that fits the width of the terminal: paragraphs and folded lines; table.hpp has
// tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/base/table.hpp"

namespace camber {

// Width of a paragraph in columns: line_width(), but at most 100.
std::size_t page_width();

// Width of the terminal on standard error, or COLUMNS; 80 if neither is available.
std::size_t progress_width();

// True if escape sequences are unwanted: TERM is dumb, or NO_COLOR is set.
bool escapes_unwanted();

// Folds a line without its line feed into lines of at most `columns`: broken at blanks, or within a
// word that has none. Continuation lines are aligned with the text after a first column, as in a
// list of options, or otherwise indented by two columns.
std::string folded(std::string_view line, std::size_t columns);

// Starts folding the lines printed to standard output, if line_width() is available. Complete lines
// are printed immediately; finish_output() prints the rest.
void fold_output();
void finish_output();

// Prints machine-readable text to standard output without folding it.
void print_verbatim(std::string_view text);

}  // namespace camber
