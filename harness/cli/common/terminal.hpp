// Text output: terminal width, line folding, and tables with aligned columns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Output that fits the width of the terminal.

// Width of a line in columns: the variable COLUMNS, or otherwise the width of the terminal on
// standard output. nullopt for a pipe or a file, which programs read.
std::optional<std::size_t> line_width();

// Width of a paragraph in columns: line_width(), but at most 100.
std::size_t page_width();

// Width of the terminal on standard error, or COLUMNS; 80 if neither is available.
std::size_t progress_width();

// True if escape sequences are unwanted: TERM is dumb, or NO_COLOR is set.
bool escapes_unwanted();

// Width of the text in columns: one for each UTF-8 character.
std::size_t columns_of(std::string_view text);

// The first `columns` columns of the text.
std::string_view cut(std::string_view text, std::size_t columns);

// Breaks text at blanks into lines of at most `columns`, each ending with a line feed and starting
// with `indent` blanks. A word that is too long gets a line of its own.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

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

// Text table with columns as wide as their contents.
class TextTable {
  public:
    // `left`: number of leading columns that are aligned to the left; the others, numbers, are
    // aligned to the right. `gap`: blanks between columns.
    explicit TextTable(std::vector<std::string> header, std::size_t left = 1, std::size_t gap = 2);

    // `row` must have as many cells as the header; throws std::logic_error otherwise.
    void add(std::vector<std::string> row);

    bool empty() const { return rows_.size() == 1; }

    // Each line ends with a line feed and has no trailing blanks. If the table is wider than
    // `columns`, the sentences in its left columns are wrapped. If that is not enough, every row
    // takes several lines, of which all but the first are indented.
    std::string plain(std::optional<std::size_t> columns = line_width()) const;
    // The table in Markdown.
    std::string markdown() const;

  private:
    using Row = std::vector<std::string>;

    std::vector<Row> rows_;  // the header is the first row
    std::size_t left_;
    std::size_t gap_;
};

}  // namespace camber
