// Patterns of the Game of Life in run length encoded files (.rle), the format of Golly and
// LifeWiki, and initial states from a pattern or from random cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/core/state_cells.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Patterns of the Game of Life and of its relatives in run length encoded files (.rle), the format
// that Golly and LifeWiki use.

// The rules that files of a workload may name.
struct RuleFamily {
    std::string_view usual;  // where a file names none
    // Gives a rule the one spelling that it has. Throws Error(usage), whose sentence calls it
    // `what`.
    std::string (*spelled)(std::string_view text, std::string_view what);
};
extern const RuleFamily birth_survival_rules;

struct CellPosition {
    std::int64_t row = 0;
    std::int64_t column = 0;
    friend bool operator==(const CellPosition&, const CellPosition&) = default;
};

// Live cells inside a box of columns x rows, in row-major order, each once.
struct Pattern {
    std::string name;  // from the #N line; empty where there is none
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    std::optional<std::string> rule = std::nullopt;  // absent: the file does not say
    std::vector<CellPosition> live = {};
};

// A side of 2^30 keeps row * columns + column inside 64 bits.
constexpr std::int64_t max_pattern_side = std::int64_t{1} << 30;
// Run counts allow a few bytes of text to request any number of cells; this many take 1 GiB.
constexpr std::int64_t max_pattern_live_cells = std::int64_t{1} << 26;

// Throws Error(ExitCode::usage) with a message "source_name:line:column: reason", both counted
// from 1, columns in bytes. Nothing after the final `!` is read as part of the pattern.
Pattern read_rle(std::istream& in, const std::string& source_name,
                 const RuleFamily& rules = birth_survival_rules);

// The same for a file. A pattern without a #N line is named after the file.
Pattern read_rle_file(const std::filesystem::path& path,
                      const RuleFamily& rules = birth_survival_rules);

// The rule of a file's header alone.
std::optional<std::string> read_rle_rule(const std::filesystem::path& path,
                                         const RuleFamily& rules = birth_survival_rules);

// Writes lines of at most 70 characters. `alive` is called once per cell, in row-major order. Each
// line of `comment` becomes #C lines. The caller checks the state of the stream.
void write_rle(std::ostream& out, std::int64_t columns, std::int64_t rows,
               const std::function<bool(std::int64_t row, std::int64_t column)>& alive,
               std::string_view comment, std::string_view rule = birth_survival_rules.usual);

// Initial states of Life: random cells or a pattern, with its rule.
template <class T>
void fill_random_cells(std::span<T> cells, const InitialConditions& conditions) {
    // The densest share of the range counts as alive, so that density 0.5 is the hash's top bit.
    const double dead_share = 1.0 - conditions.density;
    const auto count = static_cast<std::int64_t>(cells.size());
#pragma omp parallel for schedule(static) if (count >= 1 << 20)
    for (std::int64_t i = 0; i < count; ++i)
        cells[i] = uniform(conditions.seed, i) >= dead_share ? 1 : 0;
}

// The requested rule, or that of the input's file; nullopt for the default rule. Throws
// Error(usage) if the two differ.
std::optional<std::string> chosen_rule(const InitialConditions& conditions,
                                       const RuleFamily& rules);

// Row and column of the pattern's upper left corner on the board. Throws Error(usage) where it does
// not fit.
CellPosition place_of(const Pattern& pattern, const InitialConditions& conditions);

template <class T>
void place_pattern(std::span<T> cells, const Pattern& pattern,
                   const InitialConditions& conditions) {
    const CellPosition corner = place_of(pattern, conditions);
    for (const CellPosition& cell : pattern.live)
        cells[static_cast<std::size_t>((corner.row + cell.row) * conditions.size.columns +
                                       corner.column + cell.column)] = 1;
}

}  // namespace camber
