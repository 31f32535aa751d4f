// Patterns of the Game of Life in run length encoded files (.rle), the format of Golly and
// LifeWiki, and initial states from a pattern or from random cells.
#pragma once

#include <algorithm>
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

// Run length encoded patterns of the Game of Life and related rules (.rle), the format that Golly
// and LifeWiki use.

// Family of rules that a workload's files may specify.
struct RuleFamily {
    std::string_view usual;  // default for files without a rule
    // Converts a rule to its canonical spelling. Throws Error(usage), whose message calls the rule
    // `what`.
    std::string (*spelled)(std::string_view text, std::string_view what);
};
extern const RuleFamily birth_survival_rules;

struct CellPosition {
    std::int64_t row = 0;
    std::int64_t column = 0;
    friend bool operator==(const CellPosition&, const CellPosition&) = default;
};

// Live cells in a box of columns x rows, each cell once, in row-major order.
struct Pattern {
    std::string name;  // from the #N line; empty if there is none
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    std::optional<std::string> rule = std::nullopt;  // nullopt if the file does not specify it
    std::vector<CellPosition> live = {};
};

// Maximum side; row * columns + column fits 64 bits.
constexpr std::int64_t max_pattern_side = std::int64_t{1} << 30;
// Maximum number of live cells, which take 1 GiB. Without a limit, a few bytes of run counts could
// request any amount of memory.
constexpr std::int64_t max_pattern_live_cells = std::int64_t{1} << 26;

// Reads a pattern. Throws Error(ExitCode::usage) with the message "source_name:line:column:
// reason"; lines and columns are counted from 1, columns in bytes. Text after the final `!` is
// ignored.
Pattern read_rle(std::istream& in, const std::string& source_name,
                 const RuleFamily& rules = birth_survival_rules);

// Reads a pattern file. A pattern without a #N line gets the file's name.
Pattern read_rle_file(const std::filesystem::path& path,
                      const RuleFamily& rules = birth_survival_rules);

// Reads only the rule in a file's header.
std::optional<std::string> read_rle_rule(const std::filesystem::path& path,
                                         const RuleFamily& rules = birth_survival_rules);

// Writes a pattern in lines of at most 70 characters. `alive` is called once per cell, in row-major
// order. Each line of `comment` becomes a #C line. The caller checks the state of the stream.
void write_rle(std::ostream& out, std::int64_t columns, std::int64_t rows,
               const std::function<bool(std::int64_t row, std::int64_t column)>& alive,
               std::string_view comment, std::string_view rule = birth_survival_rules.usual);

// Initial states of Life: random cells, or a pattern and its rule.
template <class T>
void fill_random_cells(std::span<T> cells, const InitialConditions& conditions) {
    // Cells whose number is in the upper `density` part of the range are alive, so that a density
    // of 0.5 tests the top bit of the hash.
    const double dead_share = 1.0 - conditions.density.value_or(usual_density);
    if (dead_share >= 1) {
        std::ranges::fill(cells, T{0});
        return;
    }
    const auto count = static_cast<std::int64_t>(cells.size());
#pragma omp parallel for schedule(static) if (count >= 1 << 20)
    for (std::int64_t i = 0; i < count; ++i)
        cells[i] = uniform(conditions.seed, i) >= dead_share ? 1 : 0;
}

// Option --rule of a workload with a family of rules; `form` describes its notation.
WorkloadOption rule_option(std::string_view usual, std::string_view form);

// Requested rule, or the input file's rule; nullopt if neither is given or it is the default.
// Throws Error(usage) if the two differ.
std::optional<std::string> chosen_rule(const InitialConditions& conditions,
                                       const RuleFamily& rules);

// Row and column of the pattern's upper left corner on the board. Throws Error(usage) if the
// pattern does not fit.
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
