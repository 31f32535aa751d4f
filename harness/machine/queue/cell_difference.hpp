// Comparison of field cells, with one rule for the host and for devices.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/base/state.hpp"
#include "harness/base/target.hpp"

namespace camber {

// Tolerance for cells. A cell passes if all its bits are equal or, if not `exact`, if |actual -
// expected| is finite and at most absolute + relative * |expected|; NaN always fails.
struct CellLimits {
    bool exact = true;  // always true for integer cells
    double absolute = 0;
    double relative = 0;
};

// Differences between two fields that should be equal. If the comparison is exact, all members but
// `differing` and `first` stay 0.
struct FieldDifference {
    std::int64_t differing = 0;
    std::int64_t first = -1;    // index of the first differing cell, row by row; -1: none
    std::int64_t invalid = 0;   // differing cells whose difference is NaN
    std::int64_t not_zero = 0;  // cells that are nonzero in at least one of the fields
    double largest = 0;         // largest absolute difference
    double expected_sum = 0;
    double actual_sum = 0;
};

struct CellVerdict {
    double difference;
    bool differs;
    bool invalid;
};

CAMBER_HD inline CellVerdict judge_cell(double expected, double actual, const CellLimits& limits) {
    if (actual == expected) return {0, false, false};  // also equal infinities
    const double difference = actual > expected ? actual - expected : expected - actual;
    const double size = expected < 0 ? -expected : expected;
#ifdef __CUDA_ARCH__
    // Separate multiplication and addition, as on the host, which does not contract them to an FMA.
    const double allowed = __dadd_rn(limits.absolute, __dmul_rn(limits.relative, size));
#else
    const double allowed = limits.absolute + limits.relative * size;
#endif
    constexpr double largest = 0x1.fffffffffffffp1023;  // an infinity allows any difference
    return {difference, !(difference <= allowed && difference <= largest),
            difference != difference};
}

// Compares cells in rows that begin `pitch` bytes apart with contiguous expected ones, on `threads`
// CPU threads.
FieldDifference difference_of(const void* actual, std::size_t pitch, const void* expected,
                              ElementType element, Size size, const CellLimits& limits,
                              int threads);

}  // namespace camber
