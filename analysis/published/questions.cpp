#include "analysis/published/questions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <regex>
#include <utility>

#include "analysis/profile/reason.hpp"
#include "analysis/published/measured.hpp"

namespace camber::published {

std::string short_card_name(std::string_view gpu) {
    static const std::regex maker("^(NVIDIA )?(GeForce )?");
    static const std::regex memory("[- ]?[0-9]+ ?GB.*$");
    const std::string name = std::regex_replace(std::string(gpu), maker, "");
    return std::regex_replace(name, memory, "");
}

std::vector<Card> by_card(std::vector<results::Document> documents) {
    std::vector<Card> cards;  // by full names, until all GPUs have been seen
    std::vector<results::Document> anywhere;
    for (results::Document& document : documents) {
        const std::string gpu = document.gpu();
        if (gpu.empty()) {
            anywhere.push_back(std::move(document));
            continue;
        }
        auto card = std::ranges::find(cards, gpu, &Card::name);
        if (card == cards.end()) card = cards.insert(cards.end(), {gpu, {}});
        card->documents.push_back(std::move(document));
    }
    if (cards.empty() && !anywhere.empty()) cards.emplace_back();
    std::vector<std::string> names;
    for (const Card& card : cards) names.push_back(short_card_name(card.name));
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (std::ranges::count(names, names[i]) == 1) cards[i].name = names[i];
        cards[i].documents.insert(cards[i].documents.end(), anywhere.begin(), anywhere.end());
    }
    return cards;
}

namespace {

const results::CaseRecord* counted(const results::Document& document, const std::string& variant,
                                   const std::string& cell, const Size* size,
                                   const std::vector<std::string>& parameters) {
    for (const results::CaseRecord& record : document.cases)
        if (record.identity.variant == variant && record.identity.backend == Backend::cuda &&
            record.identity.is_usual() && record.status == results::Status::ok &&
            !record.counters.empty() && record.timed() && record.derived &&
            (cell.empty() || record.identity.cell == cell) &&
            (size == nullptr || record.identity.size == *size) &&
            has_parameters(record.identity, parameters))
            return &record;
    return nullptr;
}

// Uses the counters in the file of the times, else those on the largest board on which both
// variants were counted, then the most counters: on small boards launch overhead hides differences
// between kernels.
std::string reason_of(const Statement& stated, const std::string& cell, const Judged& measured,
                      const std::vector<results::Document>& documents, const std::string& origin) {
    const std::string& other = stated.than_cell.empty() ? cell : stated.than_cell;
    std::string found = "no counters";
    std::pair<std::int64_t, std::size_t> best;  // cells and number of counters
    for (const results::Document& document : documents) {
        if (document.run() == nullptr || !document.run()->gpu) continue;
        const bool of_times = origin.ends_with("(" + document.source + ")");
        const auto* const first =
            counted(document, stated.faster, cell, nullptr, stated.parameters);
        const auto* const second = first ? counted(document, stated.than, other,
                                                   &first->identity.size, stated.than_parameters)
                                         : nullptr;
        if (second == nullptr) continue;
        const std::pair rank{of_times ? std::numeric_limits<std::int64_t>::max()
                                      : std::int64_t{first->identity.size.cells()},
                             first->counters.size()};
        if (rank <= best) continue;
        best = rank;
        const auto of_first = profile::facts_of(*document.run(), *first);
        const auto of_second = profile::facts_of(*document.run(), *second);
        found = *measured.ratio < 1 ? profile::reason(of_first, of_second)
                                    : profile::reason(of_second, of_first);
        const Size& size = first->identity.size;
        if (!of_times && found != "no counters")
            found += fmt::format(" (counted on {}x{})", size.columns, size.rows);
    }
    return found;
}

void add_once(std::vector<MeasuredWork>& works, const MeasuredWork& work) {
    if (std::ranges::find(works, work.origin, &MeasuredWork::origin) == works.end())
        works.push_back(work);
}

void count(Tally& tally, Fate fate) {
    switch (fate) {
        case Fate::holds:
            ++tally.hold;
            break;
        case Fate::reversed:
            ++tally.reversed;
            break;
        case Fate::no_difference:
            ++tally.no_difference;
            break;
        case Fate::undecided:
            ++tally.undecided;
            break;
        case Fate::short_run:
        case Fate::other_ground:
            ++tally.withheld;
            break;
    }
}

}  // namespace

std::vector<SourceQuestions> questions(std::span<const Table* const> tables,
                                       const std::vector<Card>& cards) {
    std::vector<SourceQuestions> all;
    for (const Table* table : tables) {
        if (table->conclusions.empty()) continue;
        auto source = std::ranges::find(all, table->source, &SourceQuestions::source);
        if (source == all.end()) {
            source = all.insert(all.end(), {table->source, {}, {}, {}});
            source->tallies.resize(cards.size());
        }
        const std::size_t first = source->questions.size();
        for (const Statement& stated : table->conclusions)
            source->questions.push_back({table->id, stated, {}, {}});
        std::vector<MeasuredWork> works;
        for (std::size_t i = 0; i < cards.size(); ++i) {
            MeasuredTable times(*table, cards[i].documents);
            std::vector<std::string> origins;
            const auto judged = conclusions(
                *table,
                [&](const Statement& stated) {
                    const auto pair = times.both(stated);
                    const bool has_both = pair.faster && pair.than;
                    origins.push_back(has_both ? pair.work.origin : "");
                    if (has_both) add_once(works, pair.work);
                    return std::pair(pair.faster, pair.than);
                },
                [&](const Statement& stated) { return times.basis(stated); });
            for (std::size_t k = 0; k < judged.size(); ++k) {
                const Statement& stated = judged[k].stated;
                const std::string& cell = stated.cell.empty() ? table->here.cell : stated.cell;
                Question& question = source->questions[first + k];
                question.printed = judged[k].printed;
                question.answers.push_back({judged[k].measured, origins[k],
                                            judged[k].measured.ratio
                                                ? reason_of(stated, cell, judged[k].measured,
                                                            cards[i].documents, origins[k])
                                                : ""});
                count(source->tallies[i], judged[k].measured.fate);
            }
        }
        if (!works.empty()) source->works.emplace_back(table->id, work_rows(*table, works));
    }
    return all;
}

std::string ratio_text(const Judged& measured) {
    if (!measured.ratio) return "-";
    std::string text = fmt::format("{:.2f}x", *measured.ratio);
    if (measured.interval)
        text += fmt::format(" ({:.2f} to {:.2f})", measured.interval->low, measured.interval->high);
    return text;
}

std::string turn_over(const std::string& text, const std::vector<std::string>& cards,
                      const std::vector<Judged>& measured) {
    std::vector<std::string> fates;
    const Judged* first = nullptr;
    bool differ = false;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (!measured[i].ratio || measured[i].fate == Fate::short_run ||
            measured[i].fate == Fate::other_ground)
            continue;
        if (first == nullptr) first = &measured[i];
        differ = differ || measured[i].fate != first->fate;
        fates.push_back(fmt::format("{} on the {} ({:.2f}x)", name(measured[i].fate), cards[i],
                                    *measured[i].ratio));
    }
    return differ ? fmt::format("{}: {}", text, fmt::join(fates, ", ")) : "";
}

}  // namespace camber::published
