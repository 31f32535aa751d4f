// Published tables in which each entry corresponds to a variant: checks whether measured times are
// in the published order, and compares the printed registers, occupancy, shared memory and
// instruction counts with those of today's kernels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/published/ratios.hpp"
#include "analysis/published/table.hpp"
#include "harness/record/case_record.hpp"

namespace camber::published {

// An entry of a table that orders variants, for example block shapes by strategies.
struct OrderedEntry {
    std::string name;                // row, column, or both
    std::string variant;             // "" if no variant corresponds to the entry
    std::string cell;                // cell type of the entry; "" for any
    std::string printed;             // as printed
    double published = 0;            // the number meant by `printed`
    double published_share = 0;      // speed relative to the fastest entry of the series
    std::optional<double> measured;  // generations per second
    std::optional<double> measured_share;
};

// Entries that are compared with one another, for example all entries of one GPU.
struct OrderedSeries {
    std::string name;  // "" if the whole table is one series
    std::vector<OrderedEntry> entries;
    // Number of pairs of measured entries that the source prints as unequal, and how many of these
    // statements hold, are reversed, and so on.
    int pairs = 0;
    int hold = 0;
    int reversed = 0;
    int no_difference = 0;
    Basis basis = Basis::same;  // if another, the pairs were not judged

    // Names of the measured entries, fastest first.
    std::vector<std::string> published_order() const;
    std::vector<std::string> measured_order() const;
};

// Series of a table of kind `order`; empty for other kinds. Entries without a number are omitted.
std::vector<OrderedSeries> ordered_series(const Table& table, const Measured& measured,
                                          const BasisOfTimes& basis = {});

// Variant that corresponds to an entry, "" if there is none: from the row's list of variants, else
// the row's variant, else the column's.
std::string variant_of_entry(const Table& table, std::size_t row, std::size_t column);

// Name of a variant whose board is divided among several GPUs, "VARIANT on 2 GPUs"; the plain name
// for one GPU. variant_on_gpus() reverses it.
std::string on_gpus(const std::string& variant, int gpus);
struct VariantOnGpus {
    std::string variant;
    int gpus = 1;
};
VariantOnGpus variant_on_gpus(const std::string& name);

// Share of one kernel in the time of a generation, in percent.
struct Share {
    std::string row;
    std::string column;
    std::string variant;
    std::string kernel;  // as in results files
    Entry printed;
    std::optional<double> measured;
};
// Time of a kernel in percent of all kernels of the variant; absent if the kernels were not timed.
using MeasuredShare =
    std::function<std::optional<double>(const std::string& variant, const std::string& kernel)>;

// Shares of a table of kind `shares`; empty for other kinds.
std::vector<Share> shares(const Table& table, const MeasuredShare& measured);

// A published figure of a kernel (registers, occupancy, shared memory, instructions) beside that of
// today's kernel.
struct Figure {
    std::string row;
    std::string column;
    std::string variant;
    Entry printed;
    std::string today;               // description of the measured figure
    std::optional<double> measured;  // absent if the results do not contain it
    std::optional<Size> counted_on;  // board size, for counted figures
};

// Finds a case of the variant whose kernels are recorded, preferably with counters; null if there
// is none.
using KnownCase = std::function<const results::CaseRecord*(const std::string& variant)>;

// Figures of all columns that name one:
//   registers          per thread, of the row's kernel
//   occupancy          theoretical, 0 to 1, of the row's kernel
//   shared_bytes       per block, of the row's kernel
//   instructions       executed warp instructions per generation, on the whole GPU
//   branches           control instructions in the machine code of the row's kernel
//   divergence         mean number of inactive lanes, of 32, per executed instruction
// Throws Error(usage) for any other name.
std::vector<Figure> figures(const Table& table, const KnownCase& known);

}  // namespace camber::published
