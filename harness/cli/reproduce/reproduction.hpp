// Reproduction of one published table: measured ratios, predicted counts, recomputed scaling, and
// their JSON form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/published/entries.hpp"
#include "analysis/published/questions.hpp"
#include "analysis/published/ratios.hpp"
#include "analysis/published/scaling_tables.hpp"
#include "harness/cli/reproduce/predicting.hpp"

namespace camber {

// What camber has of one published table: measured ratios, predicted counts, recomputed scaling.

// One printed count and what the model of memory predicts.
struct CountPair {
    std::string row;
    std::string column;
    std::string variant;
    published::Entry printed;
    std::int64_t predicted = 0;

    bool equal() const { return printed.reading == static_cast<double>(predicted); }
};

// What one card makes of a table.
struct OnCard {
    std::string card;                      // "H200"; "" where nothing was measured
    std::vector<std::string> measured_on;  // machine, size and file of the measured times
    std::vector<published::Ratio> ratios;
    std::vector<published::Conclusion> conclusions;
    std::vector<published::OrderedSeries> orders;
    std::vector<published::Share> shares;
    std::vector<published::MachineEntry> machines;
    std::vector<published::Figure> figures;
    std::vector<published::MeasuredSeries> series;
    std::vector<published::OnePlace> one_place;
};

struct Reproduction {
    const published::Table* table = nullptr;
    std::vector<OnCard> cards;  // at least one, which has what is published where none measured
    std::vector<PredictedTable> predicted;  // on the cards of the source, where it was asked for
    std::vector<CountPair> counts;
    std::vector<published::PublishedSeries> series;
    std::vector<std::string> turned_over;  // sentences: what differs between the cards
    std::vector<std::string> inconsistencies;
    std::vector<std::string> remarks;  // why something is missing
};

// The measured times of a card come from one of its results and one size and type of cells of it,
// that with the most of the table's variants, so that like is compared with like; entries that are
// about a type of cells have those of that type. Times of the simt backend, of cold caches and of
// graphs are left out.
Reproduction reproduce(const published::Table& table, const std::vector<published::Card>& cards);

// The same of results that are not yet sorted by their GPU.
Reproduction reproduce(const published::Table& table, std::vector<results::Document> from);

// Whether running the table's variants would give something: it has times to compare.
bool wants_times(const published::Table& table);

// Whether the table has variants that are measured on more and more GPUs.
bool wants_series(const published::Table& table);

// Whether the table has variants that are measured on one GPU, beside its entries of one.
bool wants_one_place(const published::Table& table);

// What camber has of a table, in a few words, for a list.
std::string what_is_here(const published::Table& table);

// Published tables and what camber has of them as JSON, for programs.

// An object of one reproduction, a list of several.
std::string reproductions_text(const std::vector<Reproduction>& all);
// A list of sources, and of their conclusions on every card.
std::string questions_text(const std::vector<published::SourceQuestions>& sources,
                           const std::vector<published::Card>& cards);
// The list of all tables.
std::string tables_text(const std::vector<published::Table>& tables);

}  // namespace camber
