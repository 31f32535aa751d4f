// When cells of a field differ: one rule for the host and for devices.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/base/state.hpp"
#include "harness/base/target.hpp"

namespace camber {

// A cell passes where all its bits are equal, or, if not `exact`, where
// |actual - expected| <= absolute + relative * |expected|; what is no number never does.
struct CellLimits {
    bool exact = true;  // always so for cells that are not real numbers
    double absolute = 0;
    double relative = 0;
};

// What the cells of a field that should be equal come to. All but `differing` and `first` stay 0
// where the comparison is exact.
struct FieldDifference {
    std::int64_t differing = 0;
    std::int64_t first = -1;    // index of the first differing cell, row by row; -1: none
    std::int64_t invalid = 0;   // of those that differ: no numbers
    std::int64_t not_zero = 0;  // cells that are not 0 on either side
    double largest = 0;         // difference
    double expected_sum = 0;
    double actual_sum = 0;
};

struct CellVerdict {
    double difference;
    bool differs;
    bool invalid;
};

CAMBER_HD inline CellVerdict judge_cell(double expected, double actual, const CellLimits& limits) {
    const double difference = actual > expected ? actual - expected : expected - actual;
    const double size = expected < 0 ? -expected : expected;
#ifdef __CUDA_ARCH__
    // Rounded as the host does it, which does not contract the sum.
    const double allowed = __dadd_rn(limits.absolute, __dmul_rn(limits.relative, size));
#else
    const double allowed = limits.absolute + limits.relative * size;
#endif
    return {difference, !(difference <= allowed), difference != difference};
}

// Compares cells in rows that begin `pitch` bytes apart with expected ones without a gap, on
// `threads` threads of the CPU.
FieldDifference difference_of(const void* actual, std::size_t pitch, const void* expected,
                              ElementType element, Size size, const CellLimits& limits,
                              int threads);

}  // namespace camber
