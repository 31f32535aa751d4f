#include "analysis/published/cards.hpp"

#include <algorithm>
#include <regex>
#include <utility>

namespace camber::published {

std::string short_name(std::string_view gpu) {
    static const std::regex maker("^(NVIDIA )?(GeForce )?");
    static const std::regex memory("[- ]?[0-9]+ ?GB.*$");
    const std::string name = std::regex_replace(std::string(gpu), maker, "");
    return std::regex_replace(name, memory, "");
}

std::vector<Card> by_card(std::vector<results::Document> documents) {
    std::vector<Card> cards;  // by their long names, until all are known
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
    for (const Card& card : cards) names.push_back(short_name(card.name));
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (std::ranges::count(names, names[i]) == 1) cards[i].name = names[i];
        cards[i].documents.insert(cards[i].documents.end(), anywhere.begin(), anywhere.end());
    }
    return cards;
}

}  // namespace camber::published
