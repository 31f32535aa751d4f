// Named arrays: element types, 16-bit floating-point numbers, poison and comparison rules.
#include "workloads/core/named_arrays.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace camber::named_arrays_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

struct Number {
    std::byte bytes[8] = {};
};
Number number(double value, Scalar scalar) {
    Number result;
    put_scalar(result.bytes, value, scalar);
    return result;
}
bool passes(double actual, double expected, const ArrayRule& rule,
            Scalar scalar = Scalar::float32) {
    return camber::passes(number(actual, scalar).bytes, number(expected, scalar).bytes, scalar,
                          rule);
}
std::uint16_t bits(double value, Scalar scalar) {
    std::uint16_t result;
    std::memcpy(&result, number(value, scalar).bytes, sizeof result);
    return result;
}

}  // namespace

TEST_CASE("types have names", "[arrays]") {
    CHECK(ArrayType{Scalar::float16}.name() == "float16");
    CHECK(ArrayType{Scalar::uint8, 4}.name() == "uint8x4");
    CHECK(ArrayType{Scalar::float32, 3}.bytes() == 12);
    for (const std::string name : {"int8", "uint64", "bfloat16", "float64x2", "int16x3"})
        CHECK(array_type_named(name)->name() == name);
    for (const std::string name : {"", "int", "float32x5", "float32x1", "x4", "float80"})
        CHECK_FALSE(array_type_named(name));
}

TEST_CASE("arrays are stored as fields of their bytes", "[arrays]") {
    const NamedArray u{"u", {Scalar::float16, 2}, {3, 5, 7}, true, true};
    CHECK(u.elements() == 105);
    CHECK(u.bytes() == 420);
    CHECK(u.text() == "u float16x2[3][5][7]");
    CHECK(u.storage() == ElementType::uint8);
    CHECK(u.storage_size() == Size{28, 15});
    CHECK(u.place(0) == "u[0][0][0].x");
    CHECK(u.place(2 * 104 + 1) == "u[2][4][6].y");
    const NamedArray n{"n", {Scalar::int64}, {9}, true, false};
    CHECK(n.storage() == ElementType::uint32);
    CHECK(n.storage_size() == Size{18, 1});
    CHECK(n.place(4) == "n[4]");
}

TEST_CASE("16-bit floating-point numbers round to nearest even", "[arrays]") {
    CHECK(bits(1, Scalar::float16) == 0x3c00);
    CHECK(bits(-2, Scalar::float16) == 0xc000);
    CHECK(bits(65504, Scalar::float16) == 0x7bff);
    CHECK(bits(65519.9, Scalar::float16) == 0x7bff);
    CHECK(bits(65520, Scalar::float16) == 0x7c00);
    CHECK(bits(1 + 0x1p-11, Scalar::float16) == 0x3c00);  // a tie
    CHECK(bits(1 + 3 * 0x1p-11, Scalar::float16) == 0x3c02);
    CHECK(bits(1 + 0x1p-11 + 0x1p-40, Scalar::float16) == 0x3c01);  // rounded once, not via float
    CHECK(bits(0x1p-24, Scalar::float16) == 1);
    CHECK(bits(0x1p-25, Scalar::float16) == 0);
    CHECK(bits(0x1.8p-25, Scalar::float16) == 1);
    CHECK(bits(1, Scalar::bfloat16) == 0x3f80);
    CHECK(bits(-infinity, Scalar::bfloat16) == 0xff80);
    CHECK(bits(3.4e38, Scalar::bfloat16) == 0x7f80);
    // Every number survives the way to double and back.
    for (const Scalar scalar : {Scalar::float16, Scalar::bfloat16}) {
        int changed = 0;
        for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
            const auto small = static_cast<std::uint16_t>(pattern);
            Number from;
            std::memcpy(from.bytes, &small, sizeof small);
            const double value = number_at(from.bytes, scalar);
            if (!std::isnan(value)) changed += bits(value, scalar) != small;
        }
        CHECK(changed == 0);
    }
}

TEST_CASE("poison of a floating-point type is NaN, of an integer two complements", "[arrays]") {
    for (const Scalar scalar :
         {Scalar::float16, Scalar::bfloat16, Scalar::float32, Scalar::float64})
        for (const Poison poison : {Poison::first, Poison::second}) {
            const auto pattern = poison_of(scalar, poison);
            CHECK(std::isnan(number_at(pattern.data(), scalar)));
            CHECK(is_poison(pattern.data(), scalar, poison));
            CHECK_FALSE(is_poison(number(nan, scalar).bytes, scalar, poison));
        }
    for (const Scalar scalar : {Scalar::int8, Scalar::uint16, Scalar::int32, Scalar::uint64}) {
        const auto first = poison_of(scalar, Poison::first);
        const auto second = poison_of(scalar, Poison::second);
        for (int i = 0; i < ArrayType{scalar}.bytes(); ++i)
            CHECK((first[static_cast<std::size_t>(i)] ^ second[static_cast<std::size_t>(i)]) ==
                  std::byte{0xff});
    }
}

TEST_CASE("rules compare numbers exactly, within tolerances and within ULPs", "[arrays]") {
    const ArrayRule exact{.exact = true};
    CHECK(passes(1, 1, exact));
    CHECK_FALSE(passes(0.0, -0.0, exact));
    CHECK_FALSE(passes(1, 1 + 0x1p-23, exact));
    const ArrayRule absolute{.absolute = 0.5};
    CHECK(passes(1.5, 1, absolute));
    CHECK_FALSE(passes(1.51, 1, absolute));
    CHECK(passes(0.0, -0.0, absolute));
    const ArrayRule relative{.relative = 0.01};
    CHECK(passes(101, 100, relative));
    CHECK_FALSE(passes(1e-30, 0, relative));
    CHECK(passes(-101, -100, relative));
    const ArrayRule ulps{.ulps = 2};
    CHECK(passes(1 + 0x1p-22, 1, ulps));
    CHECK_FALSE(passes(1 + 3 * 0x1p-23, 1, ulps));
    CHECK(passes(-0x1p-149, 0x1p-149, ulps));  // both zeros are one step
    CHECK_FALSE(passes(-0x1p-148, 0x1p-149, ulps));
    CHECK(passes(1 + 0x1p-9, 1, ulps, Scalar::float16));
    CHECK_FALSE(passes(1 + 3 * 0x1p-10, 1, ulps, Scalar::float16));
    CHECK(passes(12, 10, ArrayRule{.absolute = 2}, Scalar::int32));
    CHECK_FALSE(passes(13, 10, ArrayRule{.absolute = 2}, Scalar::int32));
    CHECK(passes(12, 10, ArrayRule{.ulps = 2}, Scalar::uint16));
}

TEST_CASE("NaN fails, and an infinity needs its equal, whatever the tolerance", "[arrays]") {
    for (const ArrayRule rule : {ArrayRule{.exact = true}, ArrayRule{.absolute = 1e300},
                                 ArrayRule{.absolute = 1, .relative = 1}, ArrayRule{.ulps = 1 << 30}}) {
        CHECK_FALSE(passes(nan, 1, rule));
        CHECK_FALSE(passes(1, nan, rule));
        CHECK_FALSE(passes(nan, nan, rule));
        CHECK(passes(infinity, infinity, rule));
        CHECK_FALSE(passes(5, infinity, rule));
        CHECK_FALSE(passes(-infinity, infinity, rule));
        CHECK_FALSE(passes(infinity, 5, rule));
        ArrayRule equal = rule;
        equal.nan_equals_nan = true;
        CHECK(passes(nan, nan, equal));
        CHECK_FALSE(passes(nan, 1, equal));
        CHECK_FALSE(passes(1, nan, equal));
    }
}

TEST_CASE("rules are stated", "[arrays]") {
    CHECK(ArrayRule{.exact = true}.text() == "bit by bit; NaN fails");
    CHECK(ArrayRule{.absolute = 1e-5, .relative = 1e-3}.text() ==
          "within 1e-05 + 0.001 * |expected|; NaN fails");
    CHECK(ArrayRule{.ulps = 4, .nan_equals_nan = true}.text() ==
          "within 4 ULPs; NaN passes where NaN is expected");
}

}  // namespace camber::named_arrays_test
