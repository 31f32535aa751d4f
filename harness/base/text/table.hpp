// Tables: columns and rows of text, and their renderings for people (text, Markdown, LaTeX, HTML) and
// for programs (CSV, JSON).
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber {

// Width of a line in columns: the variable COLUMNS, or otherwise the width of the terminal on
// standard output. nullopt for a pipe or a file, which programs read.
std::optional<std::size_t> line_width();

// Value of the variable COLUMNS, or otherwise the width of the terminal on `descriptor`.
std::optional<std::size_t> terminal_width(int descriptor);

// Width of the text in columns: one for each UTF-8 character.
std::size_t columns_of(std::string_view text);

// The first `columns` columns of the text.
std::string_view cut(std::string_view text, std::size_t columns);

// Breaks text at blanks into lines of at most `columns`, each ending with a line feed and starting
// with `indent` blanks. A word that is too long gets a line of its own.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

// Text without trailing blanks, followed by a line feed.
std::string line_of(std::string text);

enum class Align { left, right };

struct TableColumn {
    std::string heading;
    Align align = Align::right;
    std::size_t min_width = 0;
    std::size_t gap = 2;  // blanks before the column in text
};

// Escapes characters with a special meaning in Markdown, also within a table.
std::string escape_markdown(std::string_view text);
std::string escape_latex(std::string_view text);
// Escapes text for content and attribute values of XML and HTML: & < > " ' become entities, bytes
// that XML forbids become '?'.
std::string escape_xml(std::string_view text);

struct MarkdownStyle {
    std::string (*cell)(std::string_view) = nullptr;  // escapes a cell; nullptr: as it is
};

struct HtmlStyle {
    std::string caption;                       // required: it also names the scrolling region
    std::map<std::string, std::string> links;  // addresses by the text of the cells that link there
};

class TextTable {
  public:
    // If no column has a heading, the text has no heading line.
    explicit TextTable(std::initializer_list<TableColumn> columns, std::size_t indent = 0)
        : columns_(columns), indent_(indent) {}
    template <std::same_as<std::vector<TableColumn>> Columns>  // no braces, which name headings
    explicit TextTable(Columns columns) : columns_(std::move(columns)) {}
    // `left`: number of leading columns that are aligned to the left; the others, numbers, are
    // aligned to the right. `gap`: blanks between columns.
    explicit TextTable(std::vector<std::string> headings, std::size_t left = 1,
                       std::size_t gap = 2);

    // `row` must have as many cells as the table has columns; throws std::logic_error otherwise.
    void add(std::vector<std::string> row);
    // Adds a row whose last cell covers the remaining columns.
    void add_spanning(std::vector<std::string> row);

    bool empty() const { return rows_.empty(); }

    // Each line ends with a line feed and has no trailing blanks. If the table is wider than
    // `columns`, the sentences in its columns aligned to the left are wrapped. If that is not
    // enough, every row takes several lines, of which all but the first are indented.
    std::string plain(std::optional<std::size_t> columns = line_width()) const;
    std::string markdown(const MarkdownStyle& style = {}) const;
    // Rows of a longtable with the rules of booktabs, from \begin to \end.
    std::string latex(const std::string& caption) const;
    // A table with its caption, in a region that scrolls by keyboard. Headings have a scope; the first
    // column aligned to the left has the row headings. Names of variants and files become code.
    std::string html(const HtmlStyle& style) const;
    // RFC 4180 except for line feeds; control characters are not escaped.
    std::string csv() const;
    // Array of objects with the headings as keys. Numbers, true and false are written as such,
    // empty cells as null.
    std::string json() const;

  private:
    struct Row {
        std::vector<std::string> cells;
        bool spans = false;  // the last cell covers the remaining columns
    };
    using Widths = std::vector<std::size_t>;

    TextTable printable() const;
    std::string fitted(std::optional<std::size_t> columns) const;
    bool has_headings() const;
    std::vector<std::string> headings() const;
    std::vector<bool> sentences() const;
    Widths widths() const;
    std::size_t total(const Widths& widths, std::size_t first, std::size_t count) const;
    void narrow(Widths& widths, std::size_t columns) const;
    std::vector<std::size_t> packed(const Widths& widths, std::size_t columns) const;
    std::string aligned(std::size_t column, const std::string& cell, std::size_t width) const;
    std::string lines_of(const std::vector<std::string>& cells, const Widths& widths,
                         const std::vector<std::size_t>& lines) const;
    std::string spanning_line(const Row& row, const Widths& widths) const;

    std::vector<TableColumn> columns_;
    std::vector<Row> rows_;
    std::size_t indent_ = 0;
};

}  // namespace camber
