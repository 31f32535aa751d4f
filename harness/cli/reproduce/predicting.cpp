#include "harness/cli/reproduce/predicting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "analysis/published/order.hpp"
#include "analysis/published/ratios.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using published::Table;

const published::ProcessSamples* none(const published::Asked&) {
    return nullptr;
}

// "GTX 480": "gtx-480".
std::string file_name(std::string name) {
    for (char& c : name)
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

// Rows that are set against others, and entries of a series that is the card's, each against each.
void add_rows(std::vector<PredictedPair>& pairs, const Table& table, const std::string& card) {
    if (card == table.here.source_card)
        for (const published::Ratio& ratio : published::ratios(table, none)) {
            const bool of_all = table.row(ratio.row) != nullptr;  // and not of single kernels
            if (!of_all || !ratio.published || ratio.variant.empty() || ratio.baseline.empty() ||
                ratio.variant == ratio.baseline)
                continue;
            pairs.push_back({true, ratio.row, ratio.variant, ratio.baseline, ratio.published,
                             std::nullopt, false});
        }
    for (const published::OrderedSeries& series : published::ordered_series(table, none)) {
        if (file_name(series.name) != card) continue;
        const auto& entries = series.entries;
        for (std::size_t i = 0; i < entries.size(); ++i)
            for (std::size_t j = i + 1; j < entries.size(); ++j)
                pairs.push_back({true, entries[i].name + ", against " + entries[j].name,
                                 entries[i].variant, entries[j].variant,
                                 entries[i].published_share / entries[j].published_share,
                                 std::nullopt, false});
    }
}

std::string card_of(const Table& table, const published::Statement& stated) {
    return stated.source_card.empty() ? table.here.source_card : stated.source_card;
}

void add_conclusions(std::vector<PredictedPair>& pairs, const Table& table,
                     const std::string& card) {
    const auto no_times = [](const published::Statement&) {
        return std::pair<const published::ProcessSamples*, const published::ProcessSamples*>();
    };
    for (const published::Conclusion& conclusion : published::conclusions(table, no_times)) {
        if (card_of(table, conclusion.stated) != card) continue;
        const auto& printed = conclusion.printed;
        pairs.push_back({false, conclusion.stated.text, conclusion.stated.faster,
                         conclusion.stated.than, printed ? printed->reading : std::nullopt,
                         std::nullopt, false});
    }
}

std::vector<PredictedPair> pairs_of(const Table& table, const std::string& card,
                                    SourceCardTimes& times) {
    std::vector<PredictedPair> pairs;
    add_rows(pairs, table, card);
    add_conclusions(pairs, table, card);
    std::set<std::pair<std::string, std::string>> met;
    for (PredictedPair& pair : pairs) {
        pair.predicted = times.ratio(pair.faster, pair.than);
        pair.repeats = !met.insert(std::minmax(pair.faster, pair.than)).second;
    }
    return pairs;
}

// Of the table and its statements, each once.
std::vector<std::string> cards_of(const Table& table) {
    std::vector<std::string> cards;
    const auto add = [&](const std::string& card) {
        if (!card.empty() && std::ranges::find(cards, card) == cards.end()) cards.push_back(card);
    };
    add(table.here.source_card);
    for (const published::Statement& stated : table.conclusions) add(stated.source_card);
    return cards;
}

std::optional<double> tau_of(const std::vector<PredictedPair>& pairs) {
    std::vector<published::OrderedPair> ordered;
    for (const PredictedPair& pair : pairs)
        if (pair.predicted && !pair.repeats)
            ordered.push_back({pair.printed.value_or(2), pair.predicted->usual});
    return published::kendalls_tau(ordered);
}

}  // namespace

published::Explained PredictedPair::verdict() const {
    return published::explained(printed.value_or(2), predicted);
}

int PredictedTable::count(published::Explained verdict) const {
    return static_cast<int>(std::ranges::count_if(pairs, [&](const PredictedPair& pair) {
        return !pair.repeats && pair.verdict() == verdict;
    }));
}

PredictedTable::Held PredictedTable::held() const {
    Held held;
    for (const PredictedPair& pair : pairs) {
        if (pair.repeats || !pair.printed || !pair.predicted) continue;
        ++held.printed;
        const auto [low, high] = pair.predicted->interval;
        held.inside += *pair.printed >= low && *pair.printed <= high;
    }
    return held;
}

std::vector<PredictedTable> predict_on_source_cards(const Table& table, const std::string& size) {
    std::vector<PredictedTable> all;
    if (find_workload(table.here.workload) == nullptr) return all;
    for (const std::string& card : cards_of(table)) {
        PredictedTable& made = all.emplace_back();
        made.size = size.empty() ? table.here.source_size : size;
        made.file = fmt::format("results/published-cards/{}.json", card);
        SourceCardTimes times(table, card, made.size);
        made.card = times.card_name();
        made.pairs = pairs_of(table, card, times);
        std::vector<std::string> shown;
        for (const PredictedPair& pair : made.pairs)
            for (const std::string& variant : {pair.faster, pair.than}) {
                if (std::ranges::find(shown, variant) != shown.end()) continue;
                shown.push_back(variant);
                if (const PredictedEntry* entry = times.entry(variant))
                    made.times.push_back(*entry);
            }
        made.tau = tau_of(made.pairs);
        made.notes = times.notes();
        made.remarks = times.remarks();
    }
    return all;
}

}  // namespace camber
