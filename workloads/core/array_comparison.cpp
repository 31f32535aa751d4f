// Comparison of named arrays with the expected ones: numbers within tolerances or ULPs, and outputs
// that were not written.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "workloads/core/named_arrays.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

namespace {

// Bits of a number, the low bytes first.
std::uint64_t bits_of(const std::byte* from, int bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, static_cast<std::size_t>(bytes));
    return bits;
}

}  // namespace

std::string ArrayRule::text() const {
    std::string text;
    if (exact) {
        text = "bit by bit";
    } else {
        if (absolute > 0) text = fmt::format("{:g}", absolute);
        if (relative > 0)
            text += fmt::format("{}{:g} * |expected|", text.empty() ? "" : " + ", relative);
        if (ulps > 0) text += fmt::format("{}{} ULPs", text.empty() ? "" : ", or ", ulps);
        text = text.empty() ? "equal values" : "within " + text;
    }
    return text + (nan_equals_nan ? "; NaN passes where NaN is expected" : "; NaN fails");
}

std::uint64_t ulp_distance(const std::byte* a, const std::byte* b, Scalar scalar) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    const int bytes = ArrayType{scalar}.scalar_bytes();
    if (!ArrayType{scalar}.is_real())
        return static_cast<std::uint64_t>(std::abs(number_at(a, scalar) - number_at(b, scalar)));
    if (std::isnan(number_at(a, scalar)) || std::isnan(number_at(b, scalar))) return most;
    // Numbers in ascending order, both zeros at 0.
    const auto ordered = [&](const std::byte* from) {
        const std::uint64_t bits = bits_of(from, bytes);
        const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
        const auto size = static_cast<std::int64_t>(bits & (sign - 1));
        return bits & sign ? -size : size;
    };
    const std::int64_t p = ordered(a);
    const std::int64_t q = ordered(b);
    return p < q ? static_cast<std::uint64_t>(q) - static_cast<std::uint64_t>(p)
                 : static_cast<std::uint64_t>(p) - static_cast<std::uint64_t>(q);
}

bool passes(const std::byte* actual, const std::byte* expected, Scalar scalar,
            const ArrayRule& rule) {
    const auto bytes = static_cast<std::size_t>(ArrayType{scalar}.scalar_bytes());
    const bool same = std::memcmp(actual, expected, bytes) == 0;
    if (!ArrayType{scalar}.is_real() && (same || rule.exact)) return same;
    const double have = number_at(actual, scalar);
    const double want = number_at(expected, scalar);
    if (std::isnan(have) || std::isnan(want))
        return rule.nan_equals_nan && std::isnan(have) && std::isnan(want);
    if (rule.exact) return same;
    if (have == want) return true;
    if (std::isinf(have) || std::isinf(want)) return false;
    if (std::abs(have - want) <= rule.absolute + rule.relative * std::abs(want)) return true;
    return rule.ulps > 0 && ulp_distance(actual, expected, scalar) <=
                                static_cast<std::uint64_t>(rule.ulps);
}

namespace {

// Compares one array; `first` receives the index of the first number that fails.
void compare_array(const NamedArray& array, const HostField& want, const HostField& have,
                   const ArrayRule& rule, Verification& result, std::int64_t& first) {
    const Scalar scalar = array.type.scalar;
    const int size = array.type.scalar_bytes();
    for (std::int64_t i = 0; i < array.scalars(); ++i) {
        const std::byte* const expected = want.bytes().data() + i * size;
        const std::byte* const actual = have.bytes().data() + i * size;
        if (std::memcmp(expected, actual, static_cast<std::size_t>(size)) != 0 &&
            array.type.is_real()) {
            const double difference = std::abs(number_at(actual, scalar) - number_at(expected, scalar));
            if (difference > *result.largest_difference) result.largest_difference = difference;
        }
        if (passes(actual, expected, scalar, rule)) continue;
        ++result.differing_cells;
        if (first < 0) first = i;
    }
}

}  // namespace

Verification compare_arrays(const HasNamedArrays& workload, const State& expected,
                            const State& actual, int generations) {
    Verification result;
    result.method = Verification::Method::cells;
    result.generations = generations;
    result.largest_difference = 0;
    result.relative_tolerance = 0;
    for (const NamedArray& array : workload.arrays()) {
        ArrayRule rule{.exact = true, .nan_equals_nan = true};  // inputs must not change
        if (array.written) {
            rule = workload.rule_of(array.name);
            result.tolerance_of[array.name] = rule.absolute;
            // One ULP is at most this share of a normal number.
            const double ulp = array.type.scalar == Scalar::float16    ? 0x1p-10
                               : array.type.scalar == Scalar::bfloat16 ? 0x1p-7
                               : array.type.scalar == Scalar::float32  ? 0x1p-23
                                                                       : 0x1p-52;
            const double relative =
                std::max(rule.relative, array.type.is_real() ? static_cast<double>(rule.ulps) * ulp
                                                             : 0.0);
            result.relative_tolerance = std::max(*result.relative_tolerance, relative);
        }
        const HostField& want = expected.field(array.name);
        const HostField& have = actual.field(array.name);
        std::int64_t first = -1;
        compare_array(array, want, have, rule, result, first);
        result.compared_cells += array.scalars();
        if (first < 0 || result.first_difference) continue;
        const std::int64_t at = first * array.type.scalar_bytes();
        const std::int64_t line = std::int64_t{array.lines().columns} * array.type.lanes;
        result.first_difference =
            DifferingCell{array.name, first / line, first % line,
                          value_at(want.bytes().data() + at, array.type.scalar),
                          value_at(have.bytes().data() + at, array.type.scalar)};
        result.unwritten = fmt::format("this is {} of type {}, compared {}", array.place(first),
                                       array.type.name(), rule.text());
    }
    if (std::ranges::all_of(result.tolerance_of, [](const auto& one) { return one.second == 0; }))
        result.tolerance_of.clear();
    result.status = result.compared_cells > 0 && result.differing_cells == 0
                        ? Verification::Status::passed
                        : Verification::Status::failed;
    return result;
}

std::optional<UnwrittenNumber> first_unwritten(const HasNamedArrays& workload,
                                               const State& expected, const State& actual,
                                               Poison poison) {
    for (std::size_t k = 0; k < workload.arrays().size(); ++k) {
        const NamedArray& array = workload.arrays()[k];
        if (!array.written) continue;
        const int size = array.type.scalar_bytes();
        const std::byte* const want = expected.field(array.name).bytes().data();
        const std::byte* const have = actual.field(array.name).bytes().data();
        for (std::int64_t i = 0; i < array.scalars(); ++i)
            if (is_poison(have + i * size, array.type.scalar, poison) &&
                std::memcmp(want + i * size, have + i * size, static_cast<std::size_t>(size)) != 0)
                return UnwrittenNumber{k, i};
    }
    return std::nullopt;
}

}  // namespace camber
