#include "harness/base/text/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/base/text/text.hpp"

namespace camber {

namespace {

constexpr std::size_t narrowest_line = 20;  // text is not fitted to narrower windows
constexpr std::size_t narrowest_sentence = 24;
constexpr std::size_t indent_of_later_lines = 4;

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

std::optional<std::size_t> columns_variable() {
    const char* const text = std::getenv("COLUMNS");
    if (text == nullptr) return std::nullopt;
    const std::string_view digits = text;
    std::size_t columns = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    if (error != std::errc() || end != digits.data() + digits.size() || columns == 0)
        return std::nullopt;
    return std::max(columns, narrowest_line);
}

// Lines of a cell that is wrapped to `width` columns.
std::vector<std::string> cell_lines(const std::string& cell, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream text(columns_of(cell) <= width ? cell : wrapped(cell, width, 0));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    if (lines.empty()) lines.emplace_back();
    return lines;
}

std::string escape_csv(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

std::vector<TableColumn> columns_with(std::vector<std::string> headings, std::size_t left,
                                      std::size_t gap) {
    std::vector<TableColumn> columns;
    for (std::string& heading : headings) {
        const Align align = columns.size() < left ? Align::left : Align::right;
        columns.push_back({std::move(heading), align, 0, gap});
    }
    return columns;
}

}  // namespace

std::optional<std::size_t> terminal_width(int descriptor) {
    if (const auto columns = columns_variable()) return columns;
    winsize size{};
    if (isatty(descriptor) == 0) return std::nullopt;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return std::max<std::size_t>(size.ws_col, narrowest_line);
}

std::optional<std::size_t> line_width() {
    static const std::optional<std::size_t> width = terminal_width(STDOUT_FILENO);
    return width;
}

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string_view cut(std::string_view text, std::size_t columns) {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (begins_character(text[i]) && ++seen > columns) return text.substr(0, i);
    return text;
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent) {
    std::istringstream words(text);
    std::string all;
    std::string line(indent, ' ');
    for (std::string word; words >> word;) {
        const bool begins = line.size() == indent;
        if (!begins && columns_of(line) + 1 + columns_of(word) > columns) {
            all += line + "\n";
            line.assign(indent, ' ');
        } else if (!begins) {
            line += ' ';
        }
        line += word;
    }
    return line.size() == indent ? all : all + line + "\n";
}

std::string line_of(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string escape_markdown(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_[]|~").find(c) != std::string_view::npos) out += '\\';
        if (c == '<')
            out += "&lt;";
        else
            out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

std::string escape_latex(std::string_view text) {
    static constexpr std::pair<char, const char*> words[] = {{'\\', "\\textbackslash{}"},
                                                             {'~', "\\textasciitilde{}"},
                                                             {'^', "\\textasciicircum{}"},
                                                             {'<', "\\textless{}"},
                                                             {'>', "\\textgreater{}"},
                                                             {'|', "\\textbar{}"},
                                                             {'"', "\\textquotedbl{}"},
                                                             {'\n', " "},
                                                             {'\r', " "}};
    std::string out;
    for (const char c : text) {
        const auto* const word = std::ranges::find(words, c, &std::pair<char, const char*>::first);
        if (word != std::end(words)) {
            out += word->second;
            continue;
        }
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

TextTable::TextTable(std::vector<std::string> headings, std::size_t left, std::size_t gap)
    : columns_(columns_with(std::move(headings), left, gap)) {}

void TextTable::add(std::vector<std::string> row) {
    if (row.size() != columns_.size())
        throw std::logic_error(
            fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_.size()));
    rows_.push_back({std::move(row)});
}

void TextTable::add_spanning(std::vector<std::string> row) {
    if (row.empty() || row.size() > columns_.size())
        throw std::logic_error(fmt::format("a spanning row of {} cells in a table of {} columns",
                                           row.size(), columns_.size()));
    rows_.push_back({std::move(row), true});
}

bool TextTable::has_headings() const {
    return std::ranges::any_of(columns_,
                               [](const TableColumn& column) { return !column.heading.empty(); });
}

std::vector<std::string> TextTable::headings() const {
    std::vector<std::string> all;
    for (const TableColumn& column : columns_) all.push_back(column.heading);
    return all;
}

// Text

TextTable::Widths TextTable::widths() const {
    Widths widths;
    for (const TableColumn& column : columns_)
        widths.push_back(std::max(column.min_width, columns_of(column.heading)));
    for (const Row& row : rows_)
        for (std::size_t i = 0; i + (row.spans ? 1 : 0) < row.cells.size(); ++i)
            widths[i] = std::max(widths[i], columns_of(row.cells[i]));
    return widths;
}

// Columns aligned to the left that contain text of several words.
std::vector<bool> TextTable::sentences() const {
    std::vector<bool> found;
    for (std::size_t i = 0; i < columns_.size(); ++i)
        found.push_back(columns_[i].align == Align::left &&
                        (columns_[i].heading.find(' ') != std::string::npos ||
                         std::ranges::any_of(rows_, [i](const Row& row) {
                             return i + (row.spans ? 1 : 0) < row.cells.size() &&
                                    row.cells[i].find(' ') != std::string::npos;
                         })));
    return found;
}

// Width of `count` columns from `first`, without the gap before them.
std::size_t TextTable::total(const Widths& widths, std::size_t first, std::size_t count) const {
    std::size_t sum = 0;
    for (std::size_t i = first; i < first + count; ++i)
        sum += widths[i] + (i > first ? columns_[i].gap : 0);
    return sum;
}

// Narrows columns of sentences, the widest first, until all columns fit or none can be narrowed
// further.
void TextTable::narrow(Widths& widths, std::size_t columns) const {
    const std::vector<bool> may_wrap = sentences();
    while (total(widths, 0, widths.size()) > columns) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (may_wrap[i] && widths[i] > narrowest_sentence &&
                (widest == widths.size() || widths[i] > widths[widest]))
                widest = i;
        if (widest == widths.size()) return;
        const std::size_t excess = total(widths, 0, widths.size()) - columns;
        widths[widest] = widths[widest] > narrowest_sentence + excess ? widths[widest] - excess
                                                                      : narrowest_sentence;
    }
}

// Number of columns in each line of a row: all in one line; or names in one line and numbers in the
// next; or as many as fit.
std::vector<std::size_t> TextTable::packed(const Widths& widths, std::size_t columns) const {
    const std::size_t all = widths.size();
    if (total(widths, 0, all) <= columns) return {all};
    const auto names = static_cast<std::size_t>(
        std::ranges::find(columns_, Align::right, &TableColumn::align) - columns_.begin());
    if (names > 0 && names < all && total(widths, 0, names) <= columns &&
        indent_of_later_lines + total(widths, names, all - names) <= columns)
        return {names, all - names};
    std::vector<std::size_t> lines{0};
    std::size_t used = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const std::size_t gap = lines.back() > 0 ? columns_[i].gap : 0;
        if (lines.back() > 0 && used + gap + widths[i] > columns) {
            lines.push_back(0);
            used = indent_of_later_lines + widths[i];
        } else {
            used += gap + widths[i];
        }
        ++lines.back();
    }
    return lines;
}

std::string TextTable::aligned(std::size_t column, const std::string& cell,
                               std::size_t width) const {
    const std::string blanks(width - std::min(width, columns_of(cell)), ' ');
    return columns_[column].align == Align::left ? cell + blanks : blanks + cell;
}

std::string TextTable::lines_of(const std::vector<std::string>& cells, const Widths& widths,
                                const std::vector<std::size_t>& lines) const {
    std::string text;
    std::size_t first = 0;
    for (const std::size_t count : lines) {
        std::vector<std::vector<std::string>> parts;
        std::size_t height = 1;
        for (std::size_t i = first; i < first + count; ++i) {
            parts.push_back(cell_lines(cells[i], widths[i]));
            height = std::max(height, parts.back().size());
        }
        for (std::size_t k = 0; k < height; ++k) {
            std::string line(indent_ + (first == 0 ? 0 : indent_of_later_lines), ' ');
            for (std::size_t i = 0; i < count; ++i) {
                if (i > 0) line.append(columns_[first + i].gap, ' ');
                line +=
                    aligned(first + i, k < parts[i].size() ? parts[i][k] : "", widths[first + i]);
            }
            text += line_of(std::move(line));
        }
        first += count;
    }
    return text;
}

std::string TextTable::spanning_line(const Row& row, const Widths& widths) const {
    std::string line(indent_, ' ');
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (i > 0) line.append(columns_[i].gap, ' ');
        const std::string& cell = row.cells[i];
        line += i + 1 < row.cells.size() ? aligned(i, cell, widths[i]) : cell;
    }
    return line_of(std::move(line));
}

// Names from files may contain control characters.
TextTable TextTable::printable() const {
    TextTable table = *this;
    for (Row& row : table.rows_)
        for (std::string& cell : row.cells) cell = escaped(cell, LineFeeds::kept);
    return table;
}

std::string TextTable::plain(std::optional<std::size_t> columns) const {
    return printable().fitted(columns);
}

std::string TextTable::fitted(std::optional<std::size_t> columns) const {
    Widths widths = this->widths();
    std::vector<std::size_t> lines{widths.size()};
    if (columns) {
        const std::size_t room = *columns - std::min(*columns, indent_);
        narrow(widths, room);
        lines = packed(widths, room);
    }
    std::string text = has_headings() ? lines_of(headings(), widths, lines) : "";
    for (const Row& row : rows_)
        text += row.spans ? spanning_line(row, widths) : lines_of(row.cells, widths, lines);
    return text;
}

// Other formats

std::string TextTable::markdown(const MarkdownStyle& style) const {
    TextTable shown = printable();
    if (style.cell)
        for (Row& row : shown.rows_)
            for (std::string& cell : row.cells) cell = style.cell(cell);
    const auto line = [&](std::vector<std::string> cells) {
        cells.resize(columns_.size());
        return fmt::format("| {} |\n", fmt::join(cells, " | "));
    };
    std::string text = line(headings()) + "|";
    for (std::size_t i = 0; i < columns_.size(); ++i)
        text += columns_[i].align == Align::left ? "---|" : "---:|";
    text += '\n';
    for (const Row& row : shown.rows_) text += line(row.cells);
    return text;
}

std::string TextTable::latex(const std::string& caption) const {
    std::string alignment;
    for (const TableColumn& column : columns_)
        alignment += column.align == Align::right ? 'r' : 'l';
    const auto line = [&](std::vector<std::string> cells, bool spans) {
        for (std::string& cell : cells) cell = escape_latex(cell);
        if (spans)
            cells.back() = fmt::format("\\multicolumn{{{}}}{{l}}{{{}}}",
                                       columns_.size() + 1 - cells.size(), cells.back());
        return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
    };
    std::string text = fmt::format(
        "\\begin{{longtable}}{{{}}}\n\\caption{{{}}} \\\\\n\\toprule\n{}\\midrule\n\\endhead\n"
        "\\bottomrule\n\\endfoot\n",
        alignment, escape_latex(caption), line(headings(), false));
    for (const Row& row : rows_) text += line(row.cells, row.spans);
    return text + "\\end{longtable}\n";
}

std::string TextTable::csv() const {
    const auto line = [&](std::vector<std::string> cells) {
        cells.resize(columns_.size());
        for (std::string& cell : cells) cell = escape_csv(cell);
        return fmt::format("{}\n", fmt::join(cells, ","));
    };
    std::string text = line(headings());
    for (const Row& row : rows_) text += line(row.cells);
    return text;
}

std::string TextTable::json() const {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Row& row : rows_) {
        nlohmann::ordered_json entry = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string cell = i < row.cells.size() ? row.cells[i] : "";
            const auto number = nlohmann::ordered_json::parse(cell, nullptr, false);
            if (cell.empty())
                entry[columns_[i].heading] = nullptr;
            else if (number.is_number() || number.is_boolean())
                entry[columns_[i].heading] = number;
            else
                entry[columns_[i].heading] = cell;
        }
        all.push_back(std::move(entry));
    }
    return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace camber
