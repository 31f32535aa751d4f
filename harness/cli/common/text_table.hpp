// A small table of texts for people: columns as wide as they need to be.
#pragma once

#include <string>
#include <vector>

namespace camber {

class TextTable {
  public:
    // `left`: how many leading columns are aligned to the left; the others, numbers, to the right.
    explicit TextTable(std::vector<std::string> header, std::size_t left = 1);

    // As many cells as the header has; throws std::logic_error otherwise.
    void add(std::vector<std::string> row);

    bool empty() const { return rows_.size() == 1; }

    // Columns two blanks apart; each line ends with a line feed and has no blank before it.
    std::string plain() const;
    // A table of Markdown.
    std::string markdown() const;

  private:
    std::vector<std::vector<std::string>> rows_;  // the header first
    std::size_t left_;
};

}  // namespace camber
