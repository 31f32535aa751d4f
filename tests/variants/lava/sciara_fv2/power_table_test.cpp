// Powers by tables compared with the C library's pow(), bit by bit if that is glibc's.
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/catch.hpp"
#include "tests/variants/lava/sciara_fv2/tables_in_place.hpp"
#include "variants/lava/sciara_fv2/power_table.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv2::table_powers_test {

namespace {

// True if pow() is glibc's form for processors with fused multiply-adds; others get another form.
bool has_the_same_pow() {
#if defined(__GLIBC__) && defined(__x86_64__)
    return __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

// Counts differing results, which may differ in the last bit only.
class Differences {
  public:
    void add(double actual, double expected) {
        ++all_;
        if (actual == expected) return;
        ++differing_;
        const bool next = actual == std::nextafter(expected, 0.0) ||
                          actual == std::nextafter(expected, 2 * expected);
        if (!next) ++wrong_;
    }
    // Both round correctly for all but one argument in a thousand.
    void check() const {
        CAPTURE(all_, differing_);
        CHECK(wrong_ == 0);
        CHECK(static_cast<double>(differing_) <= 3e-3 * static_cast<double>(all_));
        if (has_the_same_pow()) CHECK(differing_ == 0);
    }

  private:
    std::int64_t all_ = 0;
    std::int64_t differing_ = 0;
    std::int64_t wrong_ = 0;
};

TEST_CASE("powers of ten by tables are those of the library", "[rounded_lava]") {
    Differences differences;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        const double wide = number(1, i, -30, 30);
        differences.add(power_of_ten(wide, tables), std::pow(10.0, wide));
        const double usual = number(2, i, -1, 2);
        differences.add(power_of_ten(usual, tables), std::pow(10.0, usual));
    }
    for (const double y : {0.0, 1.0, -1.0, 2.0, 0.5, 1e-30, -1e-300, 29.0, -200.0, 200.0})
        differences.add(power_of_ten(y, tables), std::pow(10.0, y));
    differences.check();
}

TEST_CASE("cubes by tables are those of the library", "[rounded_lava]") {
    Differences differences;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        const double t = number(3, i, 1100, 1400);
        differences.add(power(t, 3.0, tables), std::pow(t, 3.0));
        const double other = std::pow(10.0, number(4, i, -3, 10));
        differences.add(power(other, 3.0, tables), std::pow(other, 3.0));
    }
    for (const double t : {1.0, 2.0, 10.0, 1143.0, 1360.0, 1e-20, 1e60})
        differences.add(power(t, 3.0, tables), std::pow(t, 3.0));
    differences.check();
}

TEST_CASE("cube roots by tables are those of the library", "[rounded_lava]") {
    Differences differences;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        const double near_1 = 1 + std::pow(10.0, number(5, i, -17, 1));
        differences.add(power(near_1, 1.0 / 3, tables), std::pow(near_1, 1.0 / 3));
        const double large = std::pow(10.0, number(6, i, 0, 30));
        differences.add(power(large, 1.0 / 3, tables), std::pow(large, 1.0 / 3));
    }
    for (const double x :
         {1.0, std::nextafter(1.0, 2.0), 8.0, 27.0, std::numeric_limits<double>::max()})
        differences.add(power(x, 1.0 / 3, tables), std::pow(x, 1.0 / 3));
    differences.check();
}

// Recomputes the tables in numbers with 64 bits of precision, if the type has them: that is enough
// for c and for the first 43 bits of the logarithm, and for the leading bits of the rest.
TEST_CASE("tables of powers follow from their definitions", "[rounded_lava]") {
    constexpr long double two_43 = 8796093022208;
    for (int i = 0; i < power_columns; ++i) {
        CAPTURE(i);
        const double middle = of_bits(first_mantissa + (static_cast<std::uint64_t>(i) << 45) +
                                      (std::uint64_t{1} << 44));
        const double per_c =
            middle < 1 ? std::nearbyint(128 / middle) / 128 : std::nearbyint(256 / middle) / 256;
        CHECK(tables.at(PowerRow::per_c, i) == per_c);
        const long double log_c = -std::log(static_cast<long double>(per_c));
        const long double rounded = std::nearbyint(log_c * two_43) / two_43;
        CHECK(tables.at(PowerRow::log_c, i) == static_cast<double>(rounded));
        CHECK(std::abs(tables.at(PowerRow::log_c_rest, i) - static_cast<double>(log_c - rounded)) <=
              0x1p-64);

        const long double power = std::exp2(static_cast<long double>(i) / power_columns);
        const double nearest = static_cast<double>(power);
        CHECK(tables.at(PowerRow::power_of_2, i) == nearest);
        CHECK(std::abs(tables.at(PowerRow::power_of_2_rest, i) -
                       static_cast<double>(power / nearest - 1)) <= 0x1p-62);
    }
}

}  // namespace
}  // namespace camber::sciara_fv2::table_powers_test
