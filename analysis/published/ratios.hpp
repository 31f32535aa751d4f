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
#include "analysis/published/work.hpp"

namespace camber::published {

// Specifies the times that an entry refers to.
struct Asked {
    std::string variant;
    std::string cell;                       // cell type; "" for any
    std::string size = {};                  // board size, "400x400"; "" for any
    std::vector<std::string> kernels = {};  // only these kernels; empty: all
};

// Returns the samples of `asked`, null if they were not measured.
using Measured = std::function<const ProcessSamples*(const Asked& asked)>;

// Returns the basis of the times of `asked`.
using BasisOfTimes = std::function<Basis(const Asked& asked)>;

// Times that the table's entry refers to; `variant` is "" if no variant corresponds to the entry.
Asked asked_of(const Table& table, std::size_t row, std::size_t column);

// Speedup of a row over its baseline; 1 means equal.
struct Ratio {
    std::string row;
    std::string variant;              // "" if no variant corresponds to the row
    std::string baseline;             // variant that the row is compared with; "" as above
    std::optional<double> published;  // absent if no value is printed
    std::string bound;                // "at least", "at most" or "", for `published`
    // Outcome of the printed statement: the row is faster if `published` is above 1, slower if it
    // is below 1. A printed equality also holds or is reversed.
    Judged measured;
};

// Ratios of tables of kinds `times`, `saved` and `speedups`; empty for other kinds.
// `basis`: withholds verdicts on other work; none withholds nothing.
std::vector<Ratio> ratios(const Table& table, const Measured& measured,
                          const BasisOfTimes& basis = {});

struct Conclusion {
    Statement stated;
    std::optional<Entry> printed;  // speedup: the statement's own, or that of the rows
    Judged measured;
};

// Times of both sides of a statement; null if they were not measured.
using MeasuredBoth =
    std::function<std::pair<const ProcessSamples*, const ProcessSamples*>(const Statement& stated)>;

// Returns the basis of a statement's times.
using BasisOfStatement = std::function<Basis(const Statement& stated)>;

std::vector<Conclusion> conclusions(const Table& table, const MeasuredBoth& measured,
                                    const BasisOfStatement& basis = {});

// All variants that the table's rows, columns, entries and conclusions name, each once. Variants of
// entries with a cell type are included only if that type is `cell` or `cell` is "".
std::vector<std::string> variants_of(const Table& table, const std::string& cell = "");

// Access count by its column name: loads_32, loads_64, loads_128, stores_64 (transactions of that
// many bytes), coalesced_loads, uncoalesced_loads. Throws Error(usage) for any other name.
std::int64_t count_named(const AccessCounts& counts, std::string_view name);

// A published entry compared with the CPU: speedup over one core and over all cores, by the time of
// generations and by the time of a whole program.
struct MachineEntry {
    std::string name;     // row and column
    std::string variant;  // "" if no variant corresponds to the entry
    std::string core;     // variant on one core of the CPU that it is compared with
    Entry printed;
    std::optional<double> published;  // speedup over the CPU
    std::optional<double> generations_per_second;
    Judged over_core;   // by the time of generations alone
    Judged over_cores;  // over all cores of the host
    // Run from the start: loading, transfers and saving, as far as measured.
    std::optional<double> program_seconds;
    std::optional<double> program_over_core;
};

// Returns the seconds of a whole program; absent if they were not measured.
using MeasuredProgram = std::function<std::optional<double>(const Asked& asked)>;

// Entries of tables that name a CPU variant; empty for other tables. Entries without a number and
// columns of counts, figures and single kernels are omitted.
std::vector<MachineEntry> machine_entries(const Table& table, const Measured& measured,
                                          const MeasuredProgram& program,
                                          const BasisOfTimes& basis = {});

// The variant that uses all cores of the CPU.
std::string all_cores(const Table& table);

}  // namespace camber::published
