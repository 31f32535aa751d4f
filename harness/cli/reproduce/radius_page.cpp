#include "harness/cli/reproduce/radius_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "analysis/published/over_radius.hpp"

namespace camber {

namespace {

using published::RadiusAnswer;
using published::RadiusSeries;

std::string of_card(const published::Card& card, const RadiusSeries& series) {
    return fmt::format("{}{}, {} cells, {}x{}", card.name.empty() ? "" : card.name + ", ",
                       series.workload, series.cell, series.size.columns, series.size.rows);
}

// Cells a second, radius by radius.
void add_rates(PageText& page, const RadiusSeries& series) {
    std::vector<std::string> header{"Gcell/s at radius"};
    for (const auto& [radius, fastest] : series.fastest) header.push_back(std::to_string(radius));
    TextTable table(header, 1);
    for (const std::string& technique : series.techniques()) {
        std::vector<std::string> cells{technique};
        for (const auto& [radius, fastest] : series.fastest) {
            const auto found = fastest.find(technique);
            const double rate =
                found == fastest.end() ? 0 : found->second->derived->cells_per_second / 1e9;
            cells.push_back(rate == 0 ? "-" : fmt::format("{:.{}f}", rate, rate < 100 ? 1 : 0));
        }
        table.add(std::move(cells));
    }
    page.table(table);
}

std::string ratios_text(const std::vector<RadiusAnswer>& answers) {
    std::vector<std::string> texts;
    for (const RadiusAnswer& answer : answers)
        if (answer.measured.ratio) texts.push_back(fmt::format("{:.2f}x", *answer.measured.ratio));
    return texts.empty() ? "-" : fmt::format("{}", fmt::join(texts, ", "));
}

std::string reasons_text(const std::vector<RadiusAnswer>& answers) {
    std::vector<std::string> texts;
    for (const RadiusAnswer& answer : answers)
        if (!answer.reason.empty())
            texts.push_back(fmt::format("radius {}: {}", answer.radius, answer.reason));
    return texts.empty() ? "no counters" : fmt::format("{}", fmt::join(texts, ". "));
}

void add_statements(PageText& page, const published::Card& card, const RadiusSeries& series) {
    TextTable table({"statement", "what became of it", "how often faster, radius by radius", "why"},
                    4);
    bool any = false;
    for (const published::RadiusStatement& stated :
         published::radius_statements(series.workload, series.cell)) {
        const auto answers = published::answers(stated, series, card.documents);
        if (answers.empty()) continue;
        any = true;
        table.add({stated.text, published::fates_text(answers), ratios_text(answers),
                   reasons_text(answers)});
    }
    if (!any) return;
    page.subheading("What that says of " + of_card(card, series));
    page.table(table);
}

}  // namespace

void add_radius(PageText& page, const std::vector<published::Card>& cards) {
    bool headed = false;
    for (const published::Card& card : cards)
        for (const RadiusSeries& series : published::over_radius(card.documents)) {
            if (!headed)
                page.heading(
                    "When does shared memory pay? Techniques over the radius of the neighbourhood");
            headed = true;
            page.subheading(of_card(card, series));
            add_rates(page, series);
            add_statements(page, card, series);
        }
}

}  // namespace camber
