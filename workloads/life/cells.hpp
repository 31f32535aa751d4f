// Initial states of Life: random cells or a pattern, with its rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "workloads/core/random.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/life/rle.hpp"

namespace camber {

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
