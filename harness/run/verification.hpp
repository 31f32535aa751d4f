// Every cell of a variant's result against the plain reference; a flow that has taken another
// course, as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "harness/run/flow_comparison.hpp"
#include "workloads/workload.hpp"

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
    std::int64_t outlying_cells = 0;             // that differ, but are let pass as outliers
    Tolerance tolerance;                         // exact(): bit-equal
    double largest_difference = 0;               // between cells; only where not bit-equal
    int generations = 0;                         // computed before the comparison
    std::optional<Difference> first_difference;  // in row-major order
    // Of workloads whose states are flows; empty for others.
    FlowVerdict flow;

    bool passed() const { return compared_cells > 0 && (differing_cells == 0 || flow.passed()); }
};

// Compares all fields, bit by bit or within `tolerance`, on `threads` CPU threads; what is no
// number is always wrong. Where only the sum of a field's cells differs, every cell counts as
// differing. `generations` is only recorded.
Verification compare(const State& expected, const State& actual, const Tolerance& tolerance,
                     int generations, int threads);

// One sentence for a failed verification.
std::string describe(const Verification& verification);

}  // namespace camber
