#include "workloads/life/cells.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/base/error.hpp"

namespace camber {

CellPosition place_of(const Pattern& pattern, const InitialConditions& conditions) {
    const Size size = conditions.size;
    const auto [column, row] = conditions.input_at.value_or(
        std::pair((size.columns - pattern.columns) / 2, (size.rows - pattern.rows) / 2));
    // Sums could overflow: the place is whatever was typed.
    if (column < 0 || row < 0 || column > size.columns - pattern.columns ||
        row > size.rows - pattern.rows)
        throw Error(ExitCode::usage,
                    fmt::format("pattern {} of {}x{} cells at {},{} does not fit on a board of "
                                "{}x{}",
                                conditions.input->string(), pattern.columns, pattern.rows, column,
                                row, size.columns, size.rows),
                    Remedy::another_position);
    return {row, column};
}

}  // namespace camber
