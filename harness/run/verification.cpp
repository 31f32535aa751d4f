#include "harness/run/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "harness/run/flow_comparison.hpp"

namespace camber {

namespace {

template <class T>
CellValue value_at(const HostField& field, std::int64_t index) {
    const T value = field.cells<T>()[static_cast<std::size_t>(index)];
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::int64_t>(value);
    else
        return static_cast<double>(value);
}

CellValue cell_value(const HostField& field, std::int64_t index) {
    switch (field.element()) {
        case ElementType::uint8:
            return value_at<std::uint8_t>(field, index);
        case ElementType::uint32:
            return value_at<std::uint32_t>(field, index);
        case ElementType::int32:
            return value_at<std::int32_t>(field, index);
        case ElementType::float32:
            return value_at<float>(field, index);
        case ElementType::float64:
            return value_at<double>(field, index);
    }
    throw std::logic_error("a field of unknown element type");
}

struct RowResult {
    std::int64_t differing = 0;
    std::int64_t first = -1;    // index of the first differing cell
    std::int64_t invalid = 0;   // of those that differ: no numbers
    std::int64_t not_zero = 0;  // cells that are not 0 on either side; only within a tolerance
    double largest = 0;         // difference
    double expected_sum = 0;
    double actual_sum = 0;
};

template <class T>
RowResult compare_row_within(const HostField& expected, const HostField& actual, int row,
                             const Tolerance& tolerance) {
    const std::size_t columns = static_cast<std::size_t>(expected.size().columns);
    const T* want = expected.cells<T>().data() + columns * row;
    const T* have = actual.cells<T>().data() + columns * row;
    RowResult result;
    for (std::size_t column = 0; column < columns; ++column) {
        const double difference = std::abs(static_cast<double>(have[column]) - want[column]);
        const double allowed = tolerance.absolute + tolerance.relative * std::abs(want[column]);
        if (!(difference <= allowed) && result.differing++ == 0)
            result.first = static_cast<std::int64_t>(columns * row + column);
        result.invalid += std::isnan(difference);
        result.not_zero += want[column] != 0 || have[column] != 0;
        result.largest = std::max(result.largest, difference);
        result.expected_sum += want[column];
        result.actual_sum += have[column];
    }
    return result;
}

RowResult compare_row_exactly(const HostField& expected, const HostField& actual, int row) {
    const std::size_t size = static_cast<std::size_t>(info(expected.element()).size);
    const std::size_t start = static_cast<std::size_t>(row) * expected.size().columns * size;
    const std::byte* a = expected.bytes().data() + start;
    const std::byte* b = actual.bytes().data() + start;
    RowResult result;
    if (std::memcmp(a, b, expected.size().columns * size) == 0) return result;
    for (int column = 0; column < expected.size().columns; ++column)
        if (std::memcmp(a + column * size, b + column * size, size) != 0) {
            if (result.differing++ == 0)
                result.first = static_cast<std::int64_t>(row) * expected.size().columns + column;
        }
    return result;
}

RowResult compare_row(const HostField& expected, const HostField& actual, int row,
                      const Tolerance& tolerance) {
    if (!tolerance.exact() && expected.element() == ElementType::float32)
        return compare_row_within<float>(expected, actual, row, tolerance);
    if (!tolerance.exact() && expected.element() == ElementType::float64)
        return compare_row_within<double>(expected, actual, row, tolerance);
    return compare_row_exactly(expected, actual, row);
}

std::string text(const CellValue& value) {
    return std::visit([](auto v) { return fmt::format("{}", v); }, value);
}

}  // namespace

Verification compare(const State& expected, const State& actual, const Tolerance& tolerance,
                     int generations, int threads) {
    Verification result;
    result.method = Verification::Method::cells;
    result.tolerance = tolerance.absolute;
    result.tolerance_of = tolerance.absolute_of;
    result.relative_tolerance = tolerance.relative;
    result.total_tolerance = tolerance.total;
    result.largest_difference = 0;
    if (tolerance.outliers > 0) {
        result.tolerated_outliers = tolerance.outliers;
        result.outlying_cells = 0;
    }
    result.generations = generations;
    for (const HostField& want : expected.fields) {
        const Tolerance allowed = tolerance.of(want.name());
        const HostField& have = actual.field(want.name());
        if (have.size() != want.size() || have.element() != want.element())
            throw std::logic_error("field " + want.name() + " differs in shape from its reference");
        std::int64_t differing = 0;
        std::int64_t first = want.size().cells();
        std::int64_t invalid = 0;
        std::int64_t not_zero = 0;
        double largest = 0;
        double expected_sum = 0;
        double actual_sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : differing, invalid, not_zero) \
    reduction(+ : expected_sum, actual_sum) reduction(min : first) reduction(max : largest)
        for (int row = 0; row < want.size().rows; ++row) {
            const RowResult found = compare_row(want, have, row, allowed);
            differing += found.differing;
            invalid += found.invalid;
            not_zero += found.not_zero;
            if (found.first >= 0 && found.first < first) first = found.first;
            largest = std::max(largest, found.largest);
            expected_sum += found.expected_sum;
            actual_sum += found.actual_sum;
        }
        if (invalid == 0 &&
            static_cast<double>(differing) <= allowed.outliers * static_cast<double>(not_zero)) {
            result.outlying_cells = result.outlying_cells.value_or(0) + differing;
            differing = 0;
            first = want.size().cells();
        }
        if (tolerance.total > 0 &&
            !(std::abs(actual_sum - expected_sum) <= tolerance.total * std::abs(expected_sum))) {
            differing = want.size().cells();
            first = 0;
        }
        result.largest_difference = std::max(*result.largest_difference, largest);
        result.compared_cells += want.size().cells();
        result.differing_cells += differing;
        if (differing > 0 && !result.first_difference)
            result.first_difference =
                DifferingCell{want.name(), first / want.size().columns, first % want.size().columns,
                           cell_value(want, first), cell_value(have, first)};
    }
    result.status = result.compared_cells > 0 && result.differing_cells == 0
                        ? Verification::Status::passed
                        : Verification::Status::failed;
    return result;
}

std::string describe(const Verification& verification) {
    const bool by_cells = verification.passed() && verification.differing_cells == 0;
    if (by_cells && verification.outlying_cells.value_or(0) > 0)
        return fmt::format(
            "all {} cells but {} are within tolerance of the reference, which allows outliers",
            verification.compared_cells, *verification.outlying_cells);
    if (by_cells)
        return fmt::format("all {} cells {} the reference", verification.compared_cells,
                           verification.exact() ? "equal" : "are within tolerance of");
    if (verification.passed())
        return fmt::format("{} of {} cells differ from the reference, the flow as a whole does not",
                           verification.differing_cells, verification.compared_cells);
    if (!verification.first_difference) return "no cell was compared";
    const DifferingCell& first = *verification.first_difference;
    return fmt::format(
        "{} of {} cells differ from the reference after {} generations; the first is row {}, "
        "column {} of `{}`: expected {}, got {}{}",
        verification.differing_cells, verification.compared_cells, verification.generations,
        first.row, first.column, first.field, text(first.expected), text(first.actual),
        describe_failure(verification.exceeded));
}

}  // namespace camber
