// Text output for people: terminal width, line folding, and tables with aligned columns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Output that respects the terminal: no line is wider than a person's window.

// Columns of a line where a person reads it: the variable COLUMNS, or else those of the terminal
// that standard output is. Nothing in a pipe or a file: a program reads there.
std::optional<std::size_t> line_width();

// Columns of a paragraph: line_width(), 100 at most.
std::size_t page_width();

// Those of the terminal that standard error is, or COLUMNS; 80 where neither is known.
std::size_t progress_width();

// Whether escape sequences are unwanted: TERM is dumb, or NO_COLOR is set.
bool escapes_unwanted();

// Columns that the text takes: one for each character of UTF-8.
std::size_t columns_of(std::string_view text);

// Its first columns, at most so many.
std::string_view cut(std::string_view text, std::size_t columns);

// Breaks text at blanks into lines of at most `columns`, each ending with a line feed and starting
// with `indent` blanks. A longer word has a line of its own.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

// The line, without its line feed, in lines of at most `columns`: broken at blanks, or within a
// word that has none. Later lines begin below the text behind a first column, as in a list of
// options, or else two columns further in.
std::string folded(std::string_view line, std::size_t columns);

// From here on, folds the lines that are printed to standard output, if line_width() says how. They
// come out when they are complete; finish_output() prints the rest.
void fold_output();
void finish_output();

// Prints what a program reads to standard output, without folding it.
void print_verbatim(std::string_view text);

// A small table of texts for people: columns as wide as they need to be.
class TextTable {
  public:
    // `left`: how many leading columns are aligned to the left; the others, numbers, to the right.
    // `gap`: blanks between columns.
    explicit TextTable(std::vector<std::string> header, std::size_t left = 1, std::size_t gap = 2);

    // As many cells as the header has; throws std::logic_error otherwise.
    void add(std::vector<std::string> row);

    bool empty() const { return rows_.size() == 1; }

    // Each line ends with a line feed and has no blank before it. Where the table is wider than
    // `columns`, the sentences in its left columns are broken; where that is not enough, every row
    // takes several lines, the later ones indented.
    std::string plain(std::optional<std::size_t> columns = line_width()) const;
    // A table of Markdown.
    std::string markdown() const;

  private:
    using Row = std::vector<std::string>;

    std::vector<Row> rows_;  // the header first
    std::size_t left_;
    std::size_t gap_;
};

}  // namespace camber
