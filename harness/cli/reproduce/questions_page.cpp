
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/published/questions.hpp"
#include "analysis/published/radius.hpp"
#include "analysis/published/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/reproduce/page.hpp"

namespace camber {

// Section of the page of questions: effect of neighbor lists and particle order with current
// caches.

// `table`: states BuildNeibs's share of an iteration. Adds nothing if no card has particle results.
void add_particles(PageText& page, const published::Table& table,
                   const std::vector<published::Card>& cards);

// Section of the page of questions: neighborhood radius from which shared memory pays off, and the
// effect of other techniques.

// Adds nothing if no card has a series over the radius.
void add_radius(PageText& page, const std::vector<published::Card>& cards);

namespace {

constexpr int periods[] = {1, 5, 10, 20};

std::string of_card(const published::Card& card, const std::string& text) {
    return card.name.empty() ? text : card.name + ", " + text;
}

void add_shares(PageText& page, const published::Card& card, const published::ListCost& cost,
                const std::map<int, double>& runs) {
    page.subheading(of_card(card, "shares of an iteration's kernels, " + cost.origin));
    TextTable table({"iterations per list", "BuildNeibs", "sorting", "Forces",
                     "speed over a list "
                     "in each, by kernels",
                     "by whole runs"},
                    0);
    for (const int period : periods) {
        std::string by_runs = "not measured";
        if (runs.contains(1) && runs.contains(period))
            by_runs = fmt::format("{:.2f}x", runs.at(1) / runs.at(period));
        table.add({fmt::format("{}{}", period, period == cost.period ? ", as timed" : ""),
                   percent(cost.building_share(period)), percent(cost.sorting_share(period)),
                   percent(cost.forces_share(period)),
                   fmt::format("{:.2f}x", cost.iteration(1) / cost.iteration(period)),
                   std::move(by_runs)});
    }
    page.table(table);
    std::vector<int> missing;
    for (const int period : periods)
        if (!runs.contains(period)) missing.push_back(period);
    if (missing.empty()) return;
    page.paragraph(fmt::format(
        "No file has times of whole runs whose lists are shared by {} iterations. A kernel takes "
        "as "
        "long however often it is launched, so that shares follow from the times of each at {}. "
        "The "
        "campaign's parts sph-rebuild1, sph-rebuild5 and sph-rebuild20 measure the runs.",
        fmt::join(missing, ", "), cost.period));
}

void add_loads(PageText& page, const published::Card& card,
               const std::vector<published::ForcesLoads>& all) {
    page.subheading(of_card(card, "what loads of Forces find, " + all.front().origin));
    TextTable table({"variant", "sectors per request", "found in L1",
                     "sectors from L2 per particle", "time of whole runs"},
                    1);
    for (const published::ForcesLoads& loads : all)
        table.add({loads.variant, fmt::format("{:.1f}", loads.sectors_per_request),
                   fmt::format("{:.0f} %", loads.l1_hit_percent),
                   fmt::format("{:.0f}", loads.l2_sectors),
                   loads.times_slower ? fmt::format("{:.2f}x", *loads.times_slower) : "-"});
    page.table(table);
}

}  // namespace

void add_particles(PageText& page, const published::Table& table,
                   const std::vector<published::Card>& cards) {
    bool headed = false;
    const auto head = [&] {
        if (headed) return;
        headed = true;
        page.heading("Particles: how often a list is made, and what its reads find");
        std::vector<std::string> stated;
        for (const published::Row& row : table.rows)
            if (row.values.front())
                stated.push_back(row.values.front()->printed + " with " + row.name);
        page.item(fmt::format(
            "{}, {}, on a {}: BuildNeibs takes {}, and Forces are bound by scattered reads. The "
            "times of whole runs below are over that of {}.",
            table.source, table.place, fmt::join(table.hardware, ", "), fmt::join(stated, ", "),
            published::published_particles));
    };
    for (const published::Card& card : cards) {
        if (const auto cost =
                published::list_cost(card.documents, published::published_particles)) {
            head();
            add_shares(
                page, card, *cost,
                published::run_times_by_period(card.documents, published::published_particles));
        }
        if (const auto loads = published::forces_loads(card.documents); !loads.empty()) {
            head();
            add_loads(page, card, loads);
        }
    }
}

namespace {

using published::RadiusAnswer;
using published::RadiusSeries;

std::string of_card(const published::Card& card, const RadiusSeries& series) {
    return fmt::format("{}{}, {} cells, {}x{}", card.name.empty() ? "" : card.name + ", ",
                       series.workload, series.cell, series.size.columns, series.size.rows);
}

// Adds the cell rates for each radius.
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
        table.add({stated.text, published::outcomes_text(answers), ratios_text(answers),
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

namespace {

using published::Answer;
using published::Question;

std::string name_of(const published::Card& card) {
    return card.name.empty() ? "unnamed GPU" : card.name;
}

std::string tally_text(const published::Card& card, const published::Tally& tally) {
    return fmt::format("{}: {} hold, {} reversed, {} no difference, {} not decidable",
                       name_of(card), tally.hold, tally.reversed, tally.no_difference,
                       tally.undecided) +
           (tally.withheld == 0 ? ""
                                : fmt::format(", {} measured on other work or too little of it",
                                              tally.withheld));
}

std::string answer_text(const Answer& answer, const std::optional<published::Entry>& printed) {
    const std::string verdict = published::verdict_text(answer.measured, printed);
    return answer.measured.ratio
               ? fmt::format("{}: {}", verdict, published::ratio_text(answer.measured))
               : verdict;
}

std::string printed_text(const std::optional<published::Entry>& printed) {
    if (!printed) return "-";
    if (!published::plain_number(printed->printed)) return printed->printed;
    return printed->printed + "x" + (printed->bound.empty() ? "" : ", " + printed->bound);
}

// Reasons, printed only once if the cards agree, otherwise card by card.
std::string reasons_text(const Question& question, const std::vector<published::Card>& cards) {
    const Answer* first = nullptr;
    bool agree = true;
    for (const Answer& answer : question.answers) {
        if (!answer.measured.ratio) continue;
        if (first == nullptr || first->reason == "no counters") first = &answer;
        agree = agree && answer.measured.outcome == first->measured.outcome;
    }
    if (first == nullptr) return "-";
    if (agree) return first->reason;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cards.size(); ++i)
        if (question.answers[i].measured.ratio)
            texts.push_back(fmt::format("{}: {}", name_of(cards[i]), question.answers[i].reason));
    return fmt::format("{}", fmt::join(texts, ". "));
}

// Tables with the same rows share one block.
void add_source_works(PageText& page, const published::SourceQuestions& source) {
    std::vector<std::pair<std::string, std::vector<published::WorkRow>>> blocks;
    for (const auto& [table, rows] : source.works) {
        if (rows.empty()) continue;
        const auto found = std::ranges::find_if(
            blocks, [&](const auto& block) { return block.second == rows; });
        if (found == blocks.end())
            blocks.emplace_back(table, rows);
        else
            found->first += ", " + table;
    }
    for (const auto& [tables, rows] : blocks) {
        page.subheading("Work of both columns: " + tables);
        add_works(page, rows);
    }
}

bool has_answer(const published::SourceQuestions& source) {
    return std::ranges::any_of(source.tallies, [](const published::Tally& tally) {
        return tally.hold + tally.reversed + tally.no_difference + tally.withheld > 0;
    });
}

}  // namespace

std::string questions_page(const std::vector<published::Card>& cards, PageFormat format,
                           std::span<const published::Table* const> tables) {
    std::map<std::string, std::string> pages;  // of the tables, on a site
    for (const published::Table* table : tables)
        pages[table->id] = "published/" + table->id + ".html";
    PageText page(format, std::move(pages));
    page.title("What became of the published conclusions");
    page.paragraph(
        "Each row is a conclusion of a source: that one way of computing is faster than another. "
        "Published is how often faster, where the source says so. Under each card stand what "
        "became of the conclusion, how often faster was measured, and the 95 % interval of that. "
        "The last column is read off the counters of both variants, per generation.");
    page.paragraph(no_difference_rule());
    page.paragraph(
        "A conclusion holds only if direction and kind of work agree: the work of both columns "
        "stands below each source. A ratio that differs from the printed one by more than a factor "
        "of 2 is set beside it.");
    std::vector<std::string> turned;
    // If tables were named explicitly, all of their questions are shown.
    const bool whole = tables.size() == published::tables().size();
    for (const published::SourceQuestions& source : published::questions(tables, cards)) {
        page.heading(source.source);
        if (whole && !cards.empty() && !has_answer(source)) {
            page.paragraph(fmt::format("What was measured decides none of its {} conclusions.",
                                       source.questions.size()));
            continue;
        }
        for (std::size_t i = 0; i < cards.size(); ++i)
            page.item(tally_text(cards[i], source.tallies[i]));
        std::vector<std::string> header{"table", "conclusion", "published"};
        for (const published::Card& card : cards) header.push_back(name_of(card));
        header.emplace_back("why");
        TextTable table(header, header.size());
        for (const Question& question : source.questions) {
            std::vector<std::string> cells{question.table, question.stated.text,
                                           printed_text(question.printed)};
            std::vector<std::string> names;
            std::vector<published::Judged> measured;
            for (std::size_t i = 0; i < cards.size(); ++i) {
                cells.push_back(answer_text(question.answers[i], question.printed));
                names.push_back(name_of(cards[i]));
                measured.push_back(question.answers[i].measured);
            }
            cells.push_back(reasons_text(question, cards));
            table.add(std::move(cells));
            if (std::string sentence = published::turn_over(question.stated.text, names, measured);
                !sentence.empty())
                turned.push_back(std::move(sentence));
        }
        page.subheading("Conclusions");
        page.table(table);
        add_source_works(page, source);
    }
    for (const published::Table* table : tables)
        if (table->id == "rustico-7.3") add_particles(page, *table, cards);
    // No source's table asks about the radius, so this section is omitted if tables were named.
    if (whole) add_radius(page, cards);
    if (!turned.empty()) page.heading("What turns over between the cards");
    for (const std::string& sentence : turned) page.item(sentence);
    return page.text();
}

std::string questions_page(const std::vector<published::Card>& cards, PageFormat format) {
    std::vector<const published::Table*> all;
    for (const published::Table& table : published::tables()) all.push_back(&table);
    return questions_page(cards, format, all);
}

}  // namespace camber
