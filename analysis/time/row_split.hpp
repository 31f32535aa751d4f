// Splits a row of a neighborhood between an unrolled loop and its remainder.
#pragma once

#include <algorithm>
#include <cmath>

namespace camber {

// A neighborhood of so many accesses in so many rows, of which an inner loop makes `unrolled` in a
// round, and what is left beside it the rest of a row.
struct RowSplit {
    double rows;
    double whole;  // rounds of the inner loop for a row
    double rest;

    RowSplit(double accesses, double of_rows, double unrolled)
        : rows(of_rows),
          whole(std::floor(accesses / rows / unrolled + 1e-2)),
          rest(std::max(0.0, accesses / rows - whole * unrolled)) {}
    double inner_rounds() const { return rows * whole; }
};

}  // namespace camber
