// Page of a reproduced table, as plain text, Markdown or HTML, with ratios first and times predicted for
// the source's card.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/published/questions.hpp"
#include "analysis/published/table.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/reproduce/reproduction.hpp"

namespace camber {

// Builder of a page, in one of three formats. HTML is the content of a page whose title somebody else
// writes; its tables are named by the last headings.
enum class PageFormat { table, markdown, html };

class PageText {
  public:
    // `links`: for HTML, addresses by the text of table cells that link there.
    explicit PageText(PageFormat format, std::map<std::string, std::string> links = {})
        : format_(format), links_(std::move(links)) {}

    void title(const std::string& text);
    void heading(const std::string& text);
    void subheading(const std::string& text);
    void table(const TextTable& table);
    void paragraph(const std::string& text);
    void item(const std::string& text);
    std::string text() const { return text_ + (in_list_ ? "</ul>\n" : ""); }

  private:
    void add(const std::string& plain, const std::string& markdown, const std::string& html);

    PageFormat format_;
    std::map<std::string, std::string> links_;
    std::string text_;
    std::string heading_, caption_;
    bool in_list_ = false;
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

// Adds the part with times predicted for the source's card.
void add_predicted(PageText& page, const PredictedTable& predicted);

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
