// Times of a published table's variants on the card of the source, which is not at hand: predicted,
// and set beside the printed orders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/published/explained.hpp"
#include "analysis/published/table.hpp"
#include "harness/cli/reproduce/source_card_times.hpp"

namespace camber {

// That one variant is faster than another: printed in the table's rows, or a conclusion of the
// text.
struct PredictedPair {
    bool row = false;
    std::string text;
    std::string faster;
    std::string than;
    std::optional<double> printed;  // how often faster; absent: only that it is
    std::optional<published::PredictedRatio> predicted;
    bool repeats = false;  // an earlier pair is of the same two variants

    published::Explained verdict() const;
};

struct PredictedTable {
    std::string card;  // "NVIDIA GeForce GTX 285, published figures"
    std::string file;  // "results/published-cards/gtx-285.json"
    std::string size;
    std::vector<PredictedEntry> times;  // in the order of the table's variants
    std::vector<PredictedPair> pairs;
    std::optional<double> tau;         // over all pairs, each once
    std::vector<std::string> notes;    // what stands in for what
    std::vector<std::string> remarks;  // which variants have no time, and why

    // Of the pairs, each once.
    int count(published::Explained verdict) const;
    // How many of those with a printed value have it in their interval.
    struct Held {
        int inside = 0;
        int printed = 0;
    };
    Held held() const;
};

// On each card that the table or a statement of it names: nothing where none does. `size`: of the
// board; "": the source's. Throws Error(usage) where a card's file does not suffice.
std::vector<PredictedTable> predict_on_source_cards(const published::Table& table,
                                                    const std::string& size);

}  // namespace camber
