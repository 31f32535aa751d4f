// Published scaling tables: recomputed measures, measured series that correspond to a table, and
// its entries for one unit beside one GPU's times today.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "analysis/scaling/analysis.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Published scaling tables: recomputed measures, and what in them contradicts itself.

// One series of a table as measured values: its times, or its rates where it has no times.
struct PublishedSeries {
    std::string name;
    bool from_rates = false;
    scaling::Analysis analysis;
};

// In the order of the table; empty where it has none. If a series has times and rates: the times.
std::vector<PublishedSeries> scaling_series(const Table& table);

// A named one; `from_rates` chooses where it has both. Throws Error(usage) where it does not exist.
PublishedSeries scaling_series(const Table& table, const std::string& name, bool from_rates);

// The most units that a column of a scaling table has.
std::size_t most_units(const Table& table);

// Sentences with the numbers: printed derived values that do not follow from the table's own,
// readings that had to be guessed, and statements of the text (`claims`) that the table
// contradicts. `all`: where claims find other tables.
std::vector<std::string> inconsistencies(const Table& table, std::span<const Table> all);

// What a published scaling table prints of one unit, and what one GPU takes for the same today.

// The printed entries of one unit; absent where the table has none.
struct PrintedPlace {
    std::optional<Entry> rate;     // kip/s: thousands of particles times iterations in a second
    std::optional<Entry> seconds;  // of a whole run
};
PrintedPlace printed_place(const Table& table);

// A variant's times on one GPU.
struct OnePlace {
    std::string variant;
    std::string origin;             // the file
    std::int64_t particles = 0;     // the table's own number, or that of a larger problem
    int iterations = 0;             // of a sample
    double iteration_ns = 0;        // typical
    double rate = 0;                // kip/s
    std::optional<double> seconds;  // of the printed run's iterations and particles
};

// Those of the table's variants on its board with its parameters, in the order of the variants, and
// then those on the boards of the larger problems that it names. Of
// several times of a variant the one whose samples are of the most iterations, then the first.
std::vector<OnePlace> one_place(const Table& table,
                                const std::vector<results::Document>& documents);

// Measured series that stand beside a published scaling table.
struct MeasuredSeries {
    std::string origin;  // the file, or files
    scaling::Analysis analysis;
    std::string balance;  // the rule by which units' shares changed; "": they stayed
};

// The series of the table's variants over its units: of those on a board of the table's size or of
// a larger problem that it names, else of those on the largest board that any of the documents has.
// In the order of the documents; what `camber run` measured on one unit in one file and on several
// in another one is a series too.
std::vector<MeasuredSeries> measured_series(const Table& table,
                                            const std::vector<results::Document>& documents);

// The printed rows that a measured series stands beside: those of the table that were balanced, or
// were not, as it was; the first where none were. The table has rows.
const ScalingRows& rows_beside(const Table& table, const MeasuredSeries& measured);

// "each further GPU costs ..., and the last one that pays is ...": what the measured times make of
// the published rule that a further unit must gain more than it costs (Rustico 2012, section 4.6).
// "" for a series of one point.
std::string cost_of_units(const scaling::Analysis& analysis);

}  // namespace camber::published
