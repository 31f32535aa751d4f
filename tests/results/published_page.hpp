// Reader of a page in results/published: its tables, for comparison with computed ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace camber {

using TableRows = std::vector<std::string>;  // Markdown as in the page: "| a | 1,024 |"

class PublishedPage {
  public:
    // `name`: file in results/published.
    explicit PublishedPage(const std::string& name);

    // Rows of the first table after the line `heading`, without the two header rows.
    TableRows table(const std::string& heading) const;
    // The whole text, with line breaks replaced by spaces.
    const std::string& text() const { return text_; }
    int tables() const;

  private:
    std::vector<std::string> lines_;
    std::string text_;
};

std::string table_row(const std::vector<std::string>& cells);

// Number with thousands separators: 16384 is "16,384".
std::string grouped(std::int64_t number);

// Expected table as text, for the message of a failed comparison.
std::string joined(const TableRows& rows);

}  // namespace camber
