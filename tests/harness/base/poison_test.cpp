// Content of outputs before a launch.
#include "harness/base/poison.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/catch.hpp"

namespace camber::poison_test {
namespace {

struct TwoFloats {
    float x, y;
};
struct TwoNumbers {
    unsigned x, y;
};

template <class T>
std::array<T, 5> poisoned(Poison poison) {
    std::array<T, 5> cells{};
    fill_with_poison(std::as_writable_bytes(std::span(cells)), poisoned_as<T>(), poison);
    return cells;
}

template <class T, class Bits>
void check_real() {
    // Set in every NaN that arithmetic returns.
    constexpr Bits quiet = Bits{1} << (sizeof(T) == 4 ? 22 : 51);
    const volatile T one = 1;
    for (const Poison poison : {Poison::first, Poison::second})
        for (const T cell : poisoned<T>(poison)) {
            CHECK(std::isnan(cell));
            CHECK((std::bit_cast<Bits>(cell) & quiet) == 0);
            const T computed = cell * one;
            CHECK((std::bit_cast<Bits>(computed) & quiet) != 0);
            CHECK(is_poison(reinterpret_cast<const std::byte*>(&cell), element_of<T>(), poison));
            CHECK_FALSE(
                is_poison(reinterpret_cast<const std::byte*>(&computed), element_of<T>(), poison));
        }
    CHECK(std::bit_cast<Bits>(poisoned<T>(Poison::first)[0]) !=
          std::bit_cast<Bits>(poisoned<T>(Poison::second)[0]));
}

template <class T>
void check_whole() {
    const auto first = poisoned<T>(Poison::first);
    const auto second = poisoned<T>(Poison::second);
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(static_cast<T>(~first[i]) == second[i]);
}

}  // namespace

TEST_CASE("floating-point poison is a NaN that no arithmetic returns", "[poison]") {
    check_real<float, std::uint32_t>();
    check_real<double, std::uint64_t>();
}

TEST_CASE("the two poisons of integers are complementary", "[poison]") {
    check_whole<std::uint8_t>();
    check_whole<std::uint32_t>();
    check_whole<std::int32_t>();
}

TEST_CASE("a vector is poisoned as its members", "[poison]") {
    CHECK(poisoned_as<TwoFloats>() == ElementType::float32);
    CHECK(poisoned_as<TwoNumbers>() == ElementType::uint8);
    CHECK(poisoned_as<double>() == ElementType::float64);
    CHECK(poisoned_as<std::int32_t>() == ElementType::uint8);
    for (const TwoFloats& vector : poisoned<TwoFloats>(Poison::first))
        CHECK((std::isnan(vector.x) && std::isnan(vector.y)));
}

}  // namespace camber::poison_test
