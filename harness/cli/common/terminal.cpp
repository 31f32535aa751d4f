#include "harness/cli/common/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "harness/base/text.hpp"

namespace camber {

namespace {

constexpr std::size_t widest_paragraph = 100;
constexpr std::size_t narrowest = 20;  // text is not fitted to narrower windows

std::optional<std::size_t> columns_variable() {
    const char* const text = std::getenv("COLUMNS");
    if (text == nullptr) return std::nullopt;
    const std::string_view digits = text;
    std::size_t columns = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    if (error != std::errc() || end != digits.data() + digits.size() || columns == 0)
        return std::nullopt;
    return std::max(columns, narrowest);
}

std::optional<std::size_t> columns_of_terminal(int descriptor) {
    winsize size{};
    if (isatty(descriptor) == 0) return std::nullopt;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return std::max<std::size_t>(size.ws_col, narrowest);
}

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

// Indentation of a line's continuation lines.
std::size_t hanging_indent(std::string_view line, std::size_t columns) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", start);
    if (gap != std::string_view::npos) {
        const std::size_t text = line.find_first_not_of(' ', gap);
        if (text != std::string_view::npos && text <= 2 * columns / 3) return text;
    }
    return std::min(start + 2, columns / 2);
}

// Stream that replaces standard output, and the incomplete line that is not printed yet.
struct Folding {
    std::FILE* stream = nullptr;
    std::size_t columns = 0;
    std::string line;
    bool verbatim = false;
};

Folding& folding() {
    static Folding instance;
    return instance;
}

bool write_all(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Write callback of the stream; returns 0 for an error.
ssize_t write_folded(void*, const char* bytes, std::size_t count) {
    Folding& out = folding();
    const std::string_view text(bytes, count);
    if (out.verbatim) return write_all(text) ? static_cast<ssize_t>(count) : 0;
    out.line += text;
    std::string complete;
    for (std::size_t end; (end = out.line.find('\n')) != std::string::npos;) {
        complete += folded(escaped(std::string_view(out.line).substr(0, end)), out.columns) + "\n";
        out.line.erase(0, end + 1);
    }
    return write_all(complete) ? static_cast<ssize_t>(count) : 0;
}

}  // namespace

std::optional<std::size_t> line_width() {
    static const std::optional<std::size_t> width = [] {
        const auto columns = columns_variable();
        return columns ? columns : columns_of_terminal(STDOUT_FILENO);
    }();
    return width;
}

std::size_t page_width() {
    return std::min(line_width().value_or(widest_paragraph), widest_paragraph);
}

std::size_t progress_width() {
    const auto columns = columns_variable();
    return columns ? *columns : columns_of_terminal(STDERR_FILENO).value_or(80);
}

bool escapes_unwanted() {
    const char* const terminal = std::getenv("TERM");
    const char* const no_colour = std::getenv("NO_COLOR");
    return (terminal != nullptr && std::string_view(terminal) == "dumb") ||
           (no_colour != nullptr && *no_colour != '\0');
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

std::string folded(std::string_view line, std::size_t columns) {
    std::string all;
    const std::string indent(hanging_indent(line, columns), ' ');
    std::string rest(line);
    while (columns_of(rest) > columns) {
        const std::size_t start = rest.find_first_not_of(' ');
        const std::size_t fits = cut(rest, columns).size();
        std::size_t end = rest.rfind(' ', fits);
        if (end == std::string::npos || end <= start) end = fits;
        all += rest.substr(0, rest.find_last_not_of(' ', end - 1) + 1) + "\n";
        rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
        rest.insert(0, indent);
    }
    return all + rest;
}

void fold_output() {
#if defined(__GLIBC__)
    const auto columns = line_width();
    if (!columns) return;
    std::FILE* const stream = fopencookie(
        nullptr, "w", {.read = nullptr, .write = write_folded, .seek = nullptr, .close = nullptr});
    if (stream == nullptr) return;  // long lines are not folded
    std::setvbuf(stream, nullptr, _IOLBF, BUFSIZ);
    folding() = {stream, *columns, "", false};
    stdout = stream;
#endif
}

void finish_output() {
    Folding& out = folding();
    if (out.stream == nullptr) return;
    std::fflush(out.stream);
    write_all(folded(escaped(out.line), out.columns));
    out.line.clear();
}

void print_verbatim(std::string_view text) {
    Folding& out = folding();
    if (out.stream == nullptr) {
        // Throws like fmt::print(), because the error number is lost by the end of the program.
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
            throw std::system_error(errno, std::generic_category());
        return;
    }
    finish_output();
    out.verbatim = true;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    out.verbatim = false;
}

namespace {

using Widths = std::vector<std::size_t>;

constexpr std::size_t narrowest_sentence = 24;
constexpr std::size_t indent_of_later_lines = 4;

std::size_t total(const Widths& widths, std::size_t gap) {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

// Narrows columns of sentences, the widest first, until all columns fit or none can be narrowed
// further.
void narrow(Widths& widths, const std::vector<bool>& sentences, std::size_t gap,
            std::size_t columns) {
    while (total(widths, gap) > columns) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (sentences[i] && widths[i] > narrowest_sentence &&
                (widest == widths.size() || widths[i] > widths[widest]))
                widest = i;
        if (widest == widths.size()) return;
        const std::size_t excess = total(widths, gap) - columns;
        widths[widest] = widths[widest] > narrowest_sentence + excess ? widths[widest] - excess
                                                                      : narrowest_sentence;
    }
}

// Number of columns in each line of a row: all in one line; or names in one line and numbers in the
// next; or as many as fit.
std::vector<std::size_t> packed(const Widths& widths, std::size_t left, std::size_t gap,
                                std::size_t columns) {
    if (total(widths, gap) <= columns) return {widths.size()};
    const Widths names(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(left));
    const Widths numbers(widths.begin() + static_cast<std::ptrdiff_t>(left), widths.end());
    if (!names.empty() && !numbers.empty() && total(names, gap) <= columns &&
        indent_of_later_lines + total(numbers, gap) <= columns)
        return {names.size(), numbers.size()};
    std::vector<std::size_t> lines{0};
    std::size_t used = 0;
    for (const std::size_t width : widths) {
        if (lines.back() > 0 && used + gap + width > columns) {
            lines.push_back(0);
            used = indent_of_later_lines - gap;
        }
        used += (used > 0 || lines.size() > 1 ? gap : 0) + width;
        ++lines.back();
    }
    return lines;
}

std::vector<std::string> broken(const std::string& cell, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream text(columns_of(cell) <= width ? cell : wrapped(cell, width, 0));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    if (lines.empty()) lines.emplace_back();
    return lines;
}

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

}  // namespace

TextTable::TextTable(Row header, std::size_t left, std::size_t gap)
    : rows_{std::move(header)}, left_(left), gap_(gap) {}

void TextTable::add(Row row) {
    if (row.size() != rows_.front().size())
        throw std::logic_error(fmt::format("a row of {} cells in a table of {} columns", row.size(),
                                           rows_.front().size()));
    // May contain names from files.
    for (std::string& cell : row) cell = escaped(cell, LineFeeds::kept);
    rows_.push_back(std::move(row));
}

std::string TextTable::plain(std::optional<std::size_t> columns) const {
    Widths widths(rows_.front().size(), 0);
    std::vector<bool> sentences(widths.size(), false);
    for (const Row& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columns_of(row[i]));
            if (i < left_ && row[i].find(' ') != std::string::npos) sentences[i] = true;
        }
    if (columns) narrow(widths, sentences, gap_, *columns);
    const std::vector<std::size_t> lines =
        columns ? packed(widths, left_, gap_, *columns) : std::vector<std::size_t>{widths.size()};
    std::string text;
    for (const Row& row : rows_) {
        std::size_t first = 0;
        for (const std::size_t count : lines) {
            std::vector<std::vector<std::string>> cells;
            std::size_t height = 1;
            for (std::size_t i = first; i < first + count; ++i) {
                cells.push_back(broken(row[i], widths[i]));
                height = std::max(height, cells.back().size());
            }
            for (std::size_t k = 0; k < height; ++k) {
                std::string line(first == 0 ? 0 : indent_of_later_lines, ' ');
                for (std::size_t i = 0; i < count; ++i) {
                    const std::string cell = k < cells[i].size() ? cells[i][k] : "";
                    const std::string blanks(
                        widths[first + i] - std::min(widths[first + i], columns_of(cell)), ' ');
                    if (i > 0) line.append(gap_, ' ');
                    line += first + i < left_ ? cell + blanks : blanks + cell;
                }
                text += trimmed(line);
            }
            first += count;
        }
    }
    return text;
}

std::string TextTable::markdown() const {
    std::string text;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        text += fmt::format("| {} |\n", fmt::join(rows_[i], " | "));
        if (i > 0) continue;
        for (std::size_t column = 0; column < rows_[0].size(); ++column)
            text += column < left_ ? "|---" : "|---:";
        text += "|\n";
    }
    return text;
}

}  // namespace camber
