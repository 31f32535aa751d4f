// Page of a reproduced table, as plain text or Markdown, with ratios first and times predicted for
// the source's card.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/published/questions.hpp"
#include "analysis/published/table.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

// Builder of a page, in one of two formats.
enum class PageFormat { table, markdown };

class PageText {
  public:
    explicit PageText(PageFormat format) : markdown_(format == PageFormat::markdown) {}

    void title(const std::string& text) { text_ += markdown_ ? "# " + text + "\n" : text + "\n"; }
    void heading(const std::string& text) {
        text_ += markdown_ ? "\n## " + text + "\n\n" : "\n" + text + "\n";
    }
    void table(const TextTable& table) { text_ += markdown_ ? table.markdown() : table.plain(); }
    void subheading(const std::string& text) {
        text_ += markdown_ ? "\n**" + text + "**\n\n" : "\n" + text + "\n";
    }
    void paragraph(const std::string& text) {
        text_ += markdown_ ? "\n" + text + "\n" : wrapped(text, page_width(), 0);
    }
    void item(const std::string& text) {
        text_ += markdown_ ? "- " + text + "\n" : wrapped("- " + text, page_width(), 0);
    }
    std::string text() const { return text_; }

  private:
    bool markdown_;
    std::string text_;
};

// "-" without a value.
inline std::string number(const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

// "12.3x"; up to three digits are sufficient.
inline std::string rough_times(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.{}f}x", *ratio, *ratio < 100 ? 1 : 0) : "-";
}

// Page of a reproduced table, ratios first.
std::string reproduction_page(const Reproduction& reproduction, PageFormat format);

// Adds the table of the source's and the measured work, with the rule of a withheld verdict.
void add_works(PageText& page, const std::vector<published::WorkRow>& rows);

// Sentence below a table in which some setting makes no difference.
std::string no_difference_rule();

// List of all published tables, one per line.
std::string published_tables_page(const std::vector<published::Table>& tables, PageFormat format);

// Page with the outcome of every published conclusion on each card, and the reasons.

// One section per source. The cards' documents must be sorted by published::by_card().
std::string questions_page(const std::vector<published::Card>& cards, PageFormat format,
                           std::span<const published::Table* const> tables);
// Same for all published tables.
std::string questions_page(const std::vector<published::Card>& cards, PageFormat format);

}  // namespace camber
