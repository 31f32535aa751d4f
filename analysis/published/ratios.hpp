// A published table beside measured times: ratios first, and what became of its conclusions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "analysis/published/table.hpp"

namespace camber::published {

// Nanoseconds per generation: a list of samples for each process that measured.
using ProcessSamples = std::vector<std::vector<double>>;

// The samples of a variant; null where it was not measured.
using Measured = std::function<const ProcessSamples*(const std::string& variant)>;

// How often faster a row is than its baseline, 1 for as fast.
struct Ratio {
    std::string row;
    std::string variant;              // "" where nothing here stands for the row
    std::string baseline;             // the variant that it is compared with; "" as above
    std::optional<double> published;  // absent where no value is printed
    std::string bound;                // of the published one: "at least", "at most" or ""
    std::optional<double> measured;
};

// For tables of kinds times, saved and speedups; empty for others.
std::vector<Ratio> ratios(const Table& table, const Measured& measured);

// The median of the processes' medians.
double typical_time(const ProcessSamples& samples);

enum class Fate { holds, reversed, no_difference, undecided };

// "holds", "reversed", "no difference", "not decidable": not both were measured.
std::string_view name(Fate fate);

struct Interval {
    double low = 0;
    double high = 0;
};

struct Conclusion {
    Statement stated;
    Fate fate = Fate::undecided;
    std::optional<double> measured;    // how often faster `faster` is than `than`
    std::optional<Interval> interval;  // 95 %, of that
};

// Two times closer than this share make no difference.
inline constexpr double equal_share = 0.03;

// Nor do two whose ratio's interval holds 1.
std::vector<Conclusion> conclusions(const Table& table, const Measured& measured);

// All variants that the table's rows, columns, entries and conclusions name, each once.
std::vector<std::string> variants_of(const Table& table);

// A count by the name that a column gives it: loads_32, loads_64, loads_128, stores_64
// (transactions of that many bytes), coalesced_loads, uncoalesced_loads. Throws Error(usage) for
// another.
std::int64_t count_named(const AccessCounts& counts, std::string_view name);

}  // namespace camber::published
