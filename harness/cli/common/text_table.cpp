#include "harness/cli/common/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace camber {

TextTable::TextTable(std::vector<std::string> header, std::size_t left)
    : rows_{std::move(header)}, left_(left) {}

void TextTable::add(std::vector<std::string> row) {
    if (row.size() != rows_.front().size())
        throw std::logic_error(fmt::format("a row of {} cells in a table of {} columns", row.size(),
                                           rows_.front().size()));
    rows_.push_back(std::move(row));
}

std::string TextTable::plain() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += fmt::format(fmt::runtime(i < left_ ? "{}{:<{}}" : "{}{:>{}}"),
                                i == 0 ? "" : "  ", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
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
