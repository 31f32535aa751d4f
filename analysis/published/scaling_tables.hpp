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
#include "analysis/published/work.hpp"
#include "analysis/scaling/analysis.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// One series of a table as measured values: its times, or its rates if it has no times.
struct PublishedSeries {
    std::string name;
    bool from_rates = false;
    scaling::Analysis analysis;
};

// All series of a table, in its order; empty if it has none. If a series has both times and rates,
// its times are used.
std::vector<PublishedSeries> scaling_series(const Table& table);

// The named series; `from_rates` chooses if it has both times and rates. Throws Error(usage) if the
// series does not exist.
PublishedSeries scaling_series(const Table& table, const std::string& name, bool from_rates);

// Largest number of units in any column of a scaling table.
std::size_t most_units(const Table& table);

// Sentences with the numbers: printed derived values that do not follow from the table's own
// values, readings that had to be guessed, and statements of the source's text (`claims`) that the
// table contradicts. `all`: tables that claims may refer to.
std::vector<std::string> inconsistencies(const Table& table, std::span<const Table> all);

// Printed entries of one unit; absent if the table has none.
struct PrintedOneGpu {
    std::optional<Entry> rate;     // kip/s: thousands of particle updates per second
    std::optional<Entry> seconds;  // whole run
};
PrintedOneGpu printed_one_gpu(const Table& table);

// Times of a variant on one GPU.
struct OneGpu {
    std::string variant;
    std::string origin;             // results file
    std::int64_t particles = 0;     // the table's number, or that of a larger problem
    int iterations = 0;             // per sample
    double iteration_ns = 0;        // typical time
    double rate = 0;                // kip/s
    std::optional<double> seconds;  // for the iterations and particles of the printed run
    MeasuredWork work;
};

// One-GPU times of the table's variants on its board with its parameters, in the order of the
// variants, followed by those on the boards of the larger problems that the table names. If a
// variant was timed several times, the time from the latest developed state is used, then that
// whose samples have the most iterations, then the first.
std::vector<OneGpu> one_gpu(const Table& table, const std::vector<results::Document>& documents);

// A measured series that is compared with a published scaling table.
struct MeasuredSeries {
    std::string origin;  // results file or files
    scaling::Analysis analysis;
    std::string balance;  // rule for rebalancing the units' shares; "": fixed shares
    MeasuredWork work;    // of the series' longest samples
    // Developed state that the runs begin with, and division of its slices, if not the usual ones:
    // ", from step 25,000, divided by particles".
    std::string stage = {};
};

// Measured series of the table's variants over its units: those on a board of the table's size or
// of a larger problem that it names, else those on the largest board in any document. In the order
// of the documents. One-unit times from one file of `camber run` and multi-unit times from another
// also form a series.
std::vector<MeasuredSeries> measured_series(const Table& table,
                                            const std::vector<results::Document>& documents);

// Printed rows to compare with a measured series: those of the table with the same balancing (or
// none), else the first. The table must have rows.
const ScalingRows& rows_beside(const Table& table, const MeasuredSeries& measured);

// "each further GPU costs ..., and the last one that pays is ...": applies the published rule that
// a further unit must gain more than it costs (Rustico 2012, section 4.6) to the measured times. ""
// for a series of one point.
std::string cost_of_units(const scaling::Analysis& analysis);

}  // namespace camber::published
