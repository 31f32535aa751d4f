// Published tables whose entries name variants of their own: whether measured times have the
// published order, and today's registers, occupancy, shared memory and instruction counts beside
// the printed ones.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/published/ratios.hpp"
#include "analysis/published/table.hpp"
#include "harness/record/case_record.hpp"

namespace camber::published {

// Published tables whose entries have variants of their own, block shapes by strategies for
// example: whether the entries come in the published order where they are measured.
struct OrderedEntry {
    std::string name;                // row, column, or both
    std::string variant;             // "" where nothing here stands for it
    std::string cell;                // type of cells that it is about; "" for any
    std::string printed;             // as in print
    double published = 0;            // the reading
    double published_share = 0;      // its speed over that of the series' fastest
    std::optional<double> measured;  // generations per second
    std::optional<double> measured_share;
};

// Entries that are compared with one another: of one GPU, say.
struct OrderedSeries {
    std::string name;  // "" where all of a table are one
    std::vector<OrderedEntry> entries;
    // Pairs of measured entries of which one is printed as faster than the other, and what became
    // of the statement that it is.
    int pairs = 0;
    int hold = 0;
    int reversed = 0;
    int no_difference = 0;

    // Names of the measured entries, the fastest first.
    std::vector<std::string> published_order() const;
    std::vector<std::string> measured_order() const;
};

// For tables of kind order; empty for others. Entries without a number are left out.
std::vector<OrderedSeries> ordered_series(const Table& table, const Measured& measured);

// The variant that stands for an entry, "" where none does: the row's own list, the row's variant,
// or the column's.
std::string variant_of_entry(const Table& table, std::size_t row, std::size_t column);

// "VARIANT on 2 GPUs": a variant whose board so many GPUs divide; itself for one. And back.
std::string on_gpus(const std::string& variant, int gpus);
struct VariantOnGpus {
    std::string variant;
    int gpus = 1;
};
VariantOnGpus variant_on_gpus(const std::string& name);

// Shares of a generation's time, in percent, by kernel.
struct Share {
    std::string row;
    std::string column;
    std::string variant;
    std::string kernel;  // its name in results
    Entry printed;
    std::optional<double> measured;
};
// Percent of the sum of a variant's kernels; absent where its kernels have no times.
using MeasuredShare =
    std::function<std::optional<double>(const std::string& variant, const std::string& kernel)>;

// For tables of kind shares; empty for others.
std::vector<Share> shares(const Table& table, const MeasuredShare& measured);

// Published registers, occupancy, shared memory and instructions beside those of today's kernels.
struct Figure {
    std::string row;
    std::string column;
    std::string variant;
    Entry printed;
    std::string today;               // what stands beside it, in words
    std::optional<double> measured;  // absent where the results do not have it
    std::optional<Size> counted_on;  // the board, of what was counted there
};

// A case of the variant that knows its kernels, and its counters where one does; null without.
using KnownCase = std::function<const results::CaseRecord*(const std::string& variant)>;

// For columns that name a figure:
//   registers          per thread, of the row's kernel
//   occupancy          theoretical, 0 to 1, of the row's kernel
//   shared_bytes       per block, of the row's kernel
//   instructions       that warps execute per generation, on the whole GPU
//   branches           control instructions in the program text of the row's kernel
//   divergence         lanes, of 32, that an executed instruction leaves idle
// Throws Error(usage) for another name.
std::vector<Figure> figures(const Table& table, const KnownCase& known);

}  // namespace camber::published
