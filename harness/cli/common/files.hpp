// Input and output of a command: checks that an output does not overwrite an input, the ceilings file or
// built-in card of --ceilings, and text output that fits the width of the terminal (table.hpp has
// tables).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text/table.hpp"
#include "harness/record/document.hpp"

namespace camber {

// A file that a command reads or writes.
struct NamedFile {
    std::string name;  // as the user calls it: "--out", or the path itself
    std::filesystem::path path;
};

// Converts file arguments.
std::vector<NamedFile> named(const std::vector<std::string>& paths);

// Throws Error(usage) if an output equals an input, a file in an input folder, or another output,
// by its path or through symbolic or hard links. Empty paths are ignored.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

// Ceilings of a device for --ceilings: from a file, or of a GPU that is built into the program.

// Names of the built-in GPUs, measured ones first: "h100", "h200", "a100-80gb", ...
std::vector<std::string> card_names();

// Reads `file_or_card`: an existing file, or otherwise the built-in GPU of that name, ignoring
// case. Throws Error(usage) with the names of all built-in GPUs if it is neither.
results::Document read_ceilings(const std::string& file_or_card);

// Terminal: paragraphs and folded lines

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
