// A small table of texts for people: columns as wide as they need to be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/terminal.hpp"

namespace camber {

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
