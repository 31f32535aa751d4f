// Published tables beside measured times: the ratios between entries, the speedups over the CPU,
// and the outcome of a publication's conclusions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/published/outcome.hpp"
#include "analysis/published/table.hpp"

namespace camber::published {

// A published table beside measured times: ratios first, and what became of its conclusions.

// Which times an entry is about.
struct Asked {
    std::string variant;
    std::string cell;                       // type of cells; "" for any
    std::string size = {};                  // of the board, "400x400"; "" for any
    std::vector<std::string> kernels = {};  // of these only; empty: of all
};

// Their samples; null where they were not measured.
using Measured = std::function<const ProcessSamples*(const Asked& asked)>;

// Of an entry; `variant` is "" where nothing stands for it.
Asked asked_of(const Table& table, std::size_t row, std::size_t column);

// How often faster a row is than its baseline, 1 for as fast.
struct Ratio {
    std::string row;
    std::string variant;              // "" where nothing here stands for the row
    std::string baseline;             // the variant that it is compared with; "" as above
    std::optional<double> published;  // absent where no value is printed
    std::string bound;                // of the published one: "at least", "at most" or ""
    // Of the printed statement: that the row is faster where `published` is above 1, slower where
    // it is below. That it makes no difference, where that is what is printed, holds or is
    // reversed.
    Judged measured;
};

// For tables of kinds times, saved and speedups; empty for others.
std::vector<Ratio> ratios(const Table& table, const Measured& measured);

struct Conclusion {
    Statement stated;
    std::optional<Entry> printed;  // how often faster: the statement's own, or that of the rows
    Judged measured;
};

// Both times of a statement, null where they were not measured.
using MeasuredBoth =
    std::function<std::pair<const ProcessSamples*, const ProcessSamples*>(const Statement& stated)>;

std::vector<Conclusion> conclusions(const Table& table, const MeasuredBoth& measured);

// All variants that the table's rows, columns, entries and conclusions name, each once; of those
// that are about one type of cells only where it is `cell`, or `cell` is "".
std::vector<std::string> variants_of(const Table& table, const std::string& cell = "");

// A count by the name that a column gives it: loads_32, loads_64, loads_128, stores_64
// (transactions of that many bytes), coalesced_loads, uncoalesced_loads. Throws Error(usage) for
// another.
std::int64_t count_named(const AccessCounts& counts, std::string_view name);

// Published entries beside the CPU: how often faster than one core, by the time of kernels and by
// that of a whole program.
struct MachineEntry {
    std::string name;     // row and column
    std::string variant;  // "" where nothing here stands for it
    Entry printed;
    std::optional<double> published;  // how often faster than the CPU
    std::optional<double> generations_per_second;
    Judged over_core;   // by the time of generations alone
    Judged over_cores;  // all that the host has
    // Of a run from the start: loading, transfers and saving, as far as they were measured.
    std::optional<double> program_seconds;
    std::optional<double> program_over_core;
};

// Seconds of a whole program; absent where they were not measured.
using MeasuredProgram = std::function<std::optional<double>(const Asked& asked)>;

// For tables that name a variant on the CPU; empty for others. Entries without a number are left
// out, and so are columns of counts, figures and single kernels.
std::vector<MachineEntry> machine_entries(const Table& table, const Measured& measured,
                                          const MeasuredProgram& program);

// The variant that uses all cores of the CPU.
std::string all_cores(const Table& table);

}  // namespace camber::published
