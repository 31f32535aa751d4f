// A page of results/published as a test sees it: its tables, to be compared with computed ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace camber {

using TableRows = std::vector<std::string>;  // as in the page: "| a | 1,024 |"

class PublishedPage {
  public:
    // A file of results/published.
    explicit PublishedPage(const std::string& name);

    // The rows, without the two of the head, of the first table after the line `heading`.
    TableRows table(const std::string& heading) const;
    // All text, line ends turned into spaces.
    const std::string& text() const { return text_; }
    int tables() const;

  private:
    std::vector<std::string> lines_;
    std::string text_;
};

std::string table_row(const std::vector<std::string>& cells);

// 16384 as "16,384".
std::string grouped(std::int64_t number);

// A table as it should stand in the page, for the message of a failed comparison.
std::string joined(const TableRows& rows);

}  // namespace camber
