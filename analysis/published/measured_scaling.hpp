// Measured series that stand beside a published scaling table.
#pragma once

#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

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
