#include "harness/machine/queue/cell_difference.hpp"

#include <algorithm>
#include <cstring>

namespace camber {

namespace {

template <class R>
void compare_row(const R* actual, const R* expected, std::int64_t start, int columns,
                 const CellLimits& limits, FieldDifference& result) {
    for (int column = 0; column < columns; ++column) {
        const double want = expected[column];
        const double have = actual[column];
        const CellVerdict verdict = judge_cell(want, have, limits);
        if (verdict.differs && result.differing++ == 0) result.first = start + column;
        result.invalid += verdict.invalid;
        result.not_zero += want != 0 || have != 0;
        result.largest = std::max(result.largest, verdict.difference);
        result.expected_sum += want;
        result.actual_sum += have;
    }
}

void compare_row(const std::byte* actual, const std::byte* expected, std::int64_t start,
                 int columns, std::size_t size, FieldDifference& result) {
    if (std::memcmp(actual, expected, columns * size) == 0) return;
    for (int column = 0; column < columns; ++column)
        if (std::memcmp(actual + column * size, expected + column * size, size) != 0)
            if (result.differing++ == 0) result.first = start + column;
}

}  // namespace

FieldDifference difference_of(const void* actual, std::size_t pitch, const void* expected,
                              ElementType element, Size size, const CellLimits& limits,
                              int threads) {
    const auto bytes = static_cast<std::size_t>(info(element).size);
    std::int64_t differing = 0;
    std::int64_t first = size.cells();
    std::int64_t invalid = 0;
    std::int64_t not_zero = 0;
    double largest = 0;
    double expected_sum = 0;
    double actual_sum = 0;
#pragma omp parallel for num_threads(threads) if (size.cells() >= 1 << 20) \
    reduction(+ : differing, invalid, not_zero, expected_sum, actual_sum) reduction(min : first) \
    reduction(max : largest)
    for (int row = 0; row < size.rows; ++row) {
        const std::int64_t start = std::int64_t{row} * size.columns;
        const auto* have = static_cast<const std::byte*>(actual) + row * pitch;
        const auto* want = static_cast<const std::byte*>(expected) + start * bytes;
        FieldDifference found;
        const auto real = [&]<class R>(R) {
            compare_row(reinterpret_cast<const R*>(have), reinterpret_cast<const R*>(want), start,
                        size.columns, limits, found);
        };
        if (!limits.exact && element == ElementType::float32)
            real(float{});
        else if (!limits.exact && element == ElementType::float64)
            real(double{});
        else
            compare_row(have, want, start, size.columns, bytes, found);
        differing += found.differing;
        invalid += found.invalid;
        not_zero += found.not_zero;
        if (found.first >= 0 && found.first < first) first = found.first;
        largest = std::max(largest, found.largest);
        expected_sum += found.expected_sum;
        actual_sum += found.actual_sum;
    }
    if (differing == 0) first = -1;
    return {differing, first, invalid, not_zero, largest, expected_sum, actual_sum};
}

}  // namespace camber
