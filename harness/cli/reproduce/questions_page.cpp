#include "harness/cli/reproduce/questions_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/published/questions.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/particles_page.hpp"
#include "harness/cli/reproduce/radius_page.hpp"

namespace camber {

namespace {

using published::Answer;
using published::Question;

std::string name_of(const published::Card& card) {
    return card.name.empty() ? "unnamed GPU" : card.name;
}

std::string tally_text(const published::Card& card, const published::Tally& tally) {
    return fmt::format("{}: {} hold, {} reversed, {} no difference, {} not decidable",
                       name_of(card), tally.hold, tally.reversed, tally.no_difference,
                       tally.undecided);
}

std::string answer_text(const Answer& answer) {
    const auto fate = published::name(answer.measured.fate);
    return answer.measured.ratio
               ? fmt::format("{}: {}", fate, published::ratio_text(answer.measured))
               : std::string(fate);
}

std::string printed_text(const std::optional<published::Entry>& printed) {
    if (!printed) return "-";
    if (!published::plain_number(printed->printed)) return printed->printed;
    return printed->printed + "x" + (printed->bound.empty() ? "" : ", " + printed->bound);
}

// Once where the cards agree, else card by card.
std::string reasons_text(const Question& question, const std::vector<published::Card>& cards) {
    const Answer* first = nullptr;
    bool agree = true;
    for (const Answer& answer : question.answers) {
        if (!answer.measured.ratio) continue;
        if (first == nullptr || first->reason == "no counters") first = &answer;
        agree = agree && answer.measured.fate == first->measured.fate;
    }
    if (first == nullptr) return "-";
    if (agree) return first->reason;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cards.size(); ++i)
        if (question.answers[i].measured.ratio)
            texts.push_back(fmt::format("{}: {}", name_of(cards[i]), question.answers[i].reason));
    return fmt::format("{}", fmt::join(texts, ". "));
}

bool has_answer(const published::SourceQuestions& source) {
    return std::ranges::any_of(source.tallies, [](const published::Tally& tally) {
        return tally.hold + tally.reversed + tally.no_difference > 0;
    });
}

}  // namespace

std::string questions_page(const std::vector<published::Card>& cards, PageFormat format,
                           std::span<const published::Table* const> tables) {
    PageText page(format);
    page.title("What became of the published conclusions");
    page.paragraph(
        "Each row is a conclusion of a source: that one way of computing is faster than another. "
        "Published is how often faster, where the source says so. Under each card stand what "
        "became of the conclusion, how often faster was measured, and the 95 % interval of that. "
        "The last column is read off the counters of both variants, per generation.");
    page.paragraph(no_difference_rule());
    std::vector<std::string> turned;
    // Of tables that were named all is shown.
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
                cells.push_back(answer_text(question.answers[i]));
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
    }
    for (const published::Table* table : tables)
        if (table->id == "rustico-7.3") add_particles(page, *table, cards);
    // No source's tables ask this, so that tables that were named leave it out.
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
