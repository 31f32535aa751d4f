#include "harness/cli/common/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "harness/base/printable.hpp"

namespace camber {

namespace {

using Widths = std::vector<std::size_t>;

constexpr std::size_t narrowest_sentence = 24;
constexpr std::size_t indent_of_later_lines = 4;

std::size_t total(const Widths& widths, std::size_t gap) {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

// Makes columns of sentences narrower, the widest first, until all fit or none can give more.
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

// How many columns stand in each line of a row: all; names in one and numbers in the next; or as
// many as fit.
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
    for (std::string& cell : row) cell = escaped(cell, LineFeeds::kept);  // names from files
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
