// Conclusions of every source and their outcome on every GPU, with reasons. Results files are first
// grouped by GPU.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/published/ratios.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Results of several GPUs, sorted by the GPU.
struct Card {
    std::string name;  // "H200"; "" where no document names a GPU
    std::vector<results::Document> documents;
};

// "NVIDIA H100 80GB HBM3" -> "H100", "NVIDIA GeForce RTX 4090" -> "RTX 4090".
std::string short_card_name(std::string_view gpu);

// In the order in which the GPUs are met. Two GPUs whose short names agree keep their long ones.
// Documents without a GPU, times of the CPU for example, stand with every card.
std::vector<Card> by_card(std::vector<results::Document> documents);

// What became of the conclusions of every source, on every card, and why.

// On one card.
struct Answer {
    Judged measured;
    std::string origin;  // machine, size and file of the times; "" without any
    std::string reason;  // a clause from counters, "no counters" without them; "" without times
};

struct Question {
    std::string table;  // its id
    Statement stated;
    std::optional<Entry> printed;  // how often faster
    std::vector<Answer> answers;   // one per card
};

// How many of a source's conclusions came to what on a card.
struct Tally {
    int hold = 0;
    int reversed = 0;
    int no_difference = 0;
    int undecided = 0;
};

struct SourceQuestions {
    std::string source;  // "Balasalle 2011"
    std::vector<Question> questions;
    std::vector<Tally> tallies;  // one per card
};

// Of the sources of these tables, in their order; those without conclusions are left out.
std::vector<SourceQuestions> questions(std::span<const Table* const> tables,
                                       const std::vector<Card>& cards);

// A statement whose fate is not the same on all cards that were measured: "Tiles are faster: holds
// on the H200 (1.20x), reversed on the H100 (0.91x)". "" where it is.
std::string turn_over(const std::string& text, const std::vector<std::string>& cards,
                      const std::vector<Judged>& measured);

// "1.25x (1.24 to 1.26)", "-" without a ratio.
std::string ratio_text(const Judged& measured);

}  // namespace camber::published
