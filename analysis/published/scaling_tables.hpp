// Published scaling tables: recomputed measures, and what in them contradicts itself.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "analysis/scaling/analysis.hpp"

namespace camber::published {

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

}  // namespace camber::published
