// Every cell of a variant's result against the plain reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "workloads/state.hpp"

namespace camber {

// A cell's value as it is reported: exact for integers.
using CellValue = std::variant<std::int64_t, double>;

struct Difference {
    std::string field;
    std::int64_t row = 0;
    std::int64_t column = 0;
    CellValue expected;
    CellValue actual;
};

struct Verification {
    std::int64_t compared_cells = 0;
    std::int64_t differing_cells = 0;
    double tolerance = 0;                        // 0: bit-equal
    int generations = 0;                         // computed before the comparison
    std::optional<Difference> first_difference;  // in row-major order

    bool passed() const { return compared_cells > 0 && differing_cells == 0; }
};

// Compares all fields bit by bit on `threads` CPU threads. `generations` is only recorded.
Verification compare(const State& expected, const State& actual, int generations, int threads);

// One sentence for a failed verification.
std::string describe(const Verification& verification);

}  // namespace camber
