#include "harness/machine/environment/clock_check.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/catch.hpp"

namespace clock_check_test {

using camber::clock_fall;

namespace {

constexpr std::int64_t mhz = 1'000'000;
const std::vector<std::int64_t> none;

}  // namespace

TEST_CASE("clock check: a steady, a rising and a slightly lower clock pass") {
    CHECK_FALSE(clock_fall(1980 * mhz, none, 1980 * mhz));
    CHECK_FALSE(clock_fall(345 * mhz, std::vector<std::int64_t>{1200 * mhz}, 1980 * mhz));
    CHECK_FALSE(clock_fall(1000 * mhz, none, 980 * mhz));  // 2 % is not more than 2 %
}

TEST_CASE("clock check: a fall of more than 2 % is named with its clocks") {
    CHECK(clock_fall(1000 * mhz, none, 979 * mhz) ==
          "the SM clock fell by 2.1 % during the case, from 1000 MHz to 979 MHz; its times mix "
          "speeds");
}

TEST_CASE("clock check: a fall between two readings during the case counts") {
    const std::vector<std::int64_t> dip = {1980 * mhz, 1485 * mhz, 1980 * mhz};
    const auto sentence = clock_fall(1980 * mhz, dip, 1980 * mhz);
    REQUIRE(sentence);
    CHECK_THAT(*sentence, contains("25.0 %") && contains("1980 MHz to 1485 MHz"));
    // First up, as a device wakes, then down.
    CHECK(clock_fall(345 * mhz, std::vector<std::int64_t>{1980 * mhz}, 1755 * mhz));
    CHECK(clock_fall(std::nullopt, dip, std::nullopt));
}

TEST_CASE("clock check: the deepest fall is told") {
    const std::vector<std::int64_t> readings = {950 * mhz, 1000 * mhz, 800 * mhz, 970 * mhz};
    const auto sentence = clock_fall(990 * mhz, readings, 960 * mhz);
    REQUIRE(sentence);
    CHECK_THAT(*sentence, contains("20.0 %") && contains("1000 MHz to 800 MHz"));
}

TEST_CASE("clock check: unknown clocks say nothing") {
    CHECK_FALSE(clock_fall(std::nullopt, none, std::nullopt));
    CHECK_FALSE(clock_fall(1980 * mhz, none, std::nullopt));
    CHECK_FALSE(clock_fall(std::nullopt, none, 345 * mhz));
    CHECK_FALSE(clock_fall(0, none, 0));
}

}  // namespace clock_check_test
