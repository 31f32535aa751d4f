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

// Reproduction of one published table: measured ratios, predicted counts, recomputed scaling.

// A printed count and the memory model's prediction.
struct CountPair {
    std::string row;
    std::string column;
    std::string variant;
    published::Entry printed;
    std::int64_t predicted = 0;

    bool equal() const { return printed.reading == static_cast<double>(predicted); }
};

// Results of one card for a table.
struct OnCard {
    std::string card;                      // "H200"; "" where nothing was measured
    std::vector<std::string> measured_on;  // machine, size and file of the measured times
    std::vector<published::MeasuredWork> works;  // of the same times
    std::vector<std::string> reference_cpus;     // machines of the references on the CPU
    std::vector<published::Ratio> ratios;
    std::vector<published::Conclusion> conclusions;
    std::vector<published::OrderedSeries> orders;
    std::vector<published::Share> shares;
    std::vector<published::MachineEntry> machines;
    std::vector<published::Figure> figures;
    std::vector<published::MeasuredSeries> series;
    std::vector<published::OneGpu> one_gpu;
};

struct Reproduction {
    const published::Table* table = nullptr;
    // At least one; without measurements, it contains the published values only.
    std::vector<OnCard> cards;
    std::vector<PredictedTable> predicted;  // on the source's cards, if requested
    std::vector<CountPair> counts;
    std::vector<published::PublishedSeries> series;
    std::vector<std::string> turned_over;  // sentences about differences between the cards
    std::vector<std::string> inconsistencies;
    std::vector<std::string> remarks;  // reasons for missing values
    std::vector<published::WorkRow> works;  // the source's and the measured ones
};

// Compares like with like: all measured times of a card come from one document, one size and one
// cell type, namely those with the most of the table's variants. Entries for a given cell type use
// times of that type. Times of the simt backend, of cold caches and of graphs are ignored.
Reproduction reproduce(const published::Table& table, const std::vector<published::Card>& cards);

// Same for results that are not yet sorted by GPU.
Reproduction reproduce(const published::Table& table, std::vector<results::Document> from);

// True if measuring the table's variants is useful, because the table has times to compare.
bool wants_times(const published::Table& table);

// True if the table has variants that are measured on an increasing number of GPUs.
bool wants_series(const published::Table& table);

// True if the table has variants that are measured on one GPU and compared with its entries for one
// unit.
bool wants_one_gpu(const published::Table& table);

// Short description of the reproducible parts of a table, for a list.
std::string what_is_here(const published::Table& table);

// JSON output of published tables and their reproductions, for programs.

// A JSON object for one reproduction, an array for several.
std::string reproductions_text(const std::vector<Reproduction>& all);
// A JSON array of sources and their conclusions on every card.
std::string questions_text(const std::vector<published::SourceQuestions>& sources,
                           const std::vector<published::Card>& cards);
// A JSON array of all tables.
std::string tables_text(const std::vector<published::Table>& tables);

}  // namespace camber
