// Nvml with replacements for the library (fake_nvml.cpp).
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/environment/nvml.hpp"
#include "tests/built_paths.hpp"
#include "tests/catch.hpp"

namespace nvml_test {

using camber::Nvml;

namespace {

const std::string talkative = "0000:01:00.0";
const std::string silent = "0000:02:00.0";
const std::string odd = "0000:03:00.0";

}  // namespace

TEST_CASE("NVML: every value of a device that tells all") {
    const auto nvml = Nvml::open(built::fake_nvml);
    REQUIRE(nvml);
    const auto state = nvml->state(talkative);
    REQUIRE(state);
    CHECK(state->sm_clock_hz == 1'980'000'000);
    CHECK(state->memory_clock_hz == 3'201'000'000);
    REQUIRE(state->power_watts);
    CHECK(*state->power_watts == Approx(123.456));
    CHECK(state->temperature_celsius == 41.0);
    REQUIRE(state->throttle_reasons);
    CHECK(*state->throttle_reasons == std::vector<std::string>{"idle", "software power cap"});
    CHECK(nvml->ecc(talkative) == true);
    CHECK(nvml->mig(talkative) == false);
    CHECK(nvml->uuid(talkative) == "GPU-01234567-89ab-cdef-0123-456789abcdef");
    CHECK(nvml->driver_version() == "580.65.06");
}

TEST_CASE("NVML: all throttle reasons have words, those to come one in common") {
    const auto nvml = Nvml::open(built::fake_nvml);
    REQUIRE(nvml);
    const auto state = nvml->state(odd);
    REQUIRE(state);
    REQUIRE(state->throttle_reasons);
    CHECK(*state->throttle_reasons ==
          std::vector<std::string>{"idle", "application clocks", "software power cap",
                                   "hardware slowdown", "sync boost", "software thermal slowdown",
                                   "hardware thermal slowdown", "hardware power brake",
                                   "display clocks", "unknown"});
    CHECK(nvml->ecc(odd) == false);
    CHECK(nvml->mig(odd) == true);
}

TEST_CASE("NVML: what a device does not support is absent") {
    const auto nvml = Nvml::open(built::fake_nvml);
    REQUIRE(nvml);
    const auto state = nvml->state(silent);
    REQUIRE(state);
    CHECK_FALSE(state->sm_clock_hz);
    CHECK_FALSE(state->memory_clock_hz);
    CHECK_FALSE(state->power_watts);
    CHECK_FALSE(state->temperature_celsius);
    CHECK_FALSE(state->throttle_reasons);
    CHECK_FALSE(nvml->ecc(silent));
    CHECK_FALSE(nvml->mig(silent));
    CHECK(nvml->uuid(silent).empty());
}

TEST_CASE("NVML: functions that the library lacks leave their values absent") {
    const auto nvml = Nvml::open(built::fake_nvml_bare);
    REQUIRE(nvml);
    const auto state = nvml->state(talkative);
    REQUIRE(state);
    CHECK_FALSE(state->sm_clock_hz);
    CHECK_FALSE(state->memory_clock_hz);
    CHECK_FALSE(state->power_watts);
    CHECK_FALSE(state->temperature_celsius);
    CHECK_FALSE(state->throttle_reasons);
    CHECK_FALSE(nvml->ecc(talkative));
    CHECK_FALSE(nvml->mig(talkative));
    CHECK(nvml->uuid(talkative).empty());
    CHECK(nvml->driver_version().empty());
}

TEST_CASE("NVML: an old driver has the former name of the throttle reasons") {
    const auto nvml = Nvml::open(built::fake_nvml_old);
    REQUIRE(nvml);
    const auto state = nvml->state(talkative);
    REQUIRE(state);
    REQUIRE(state->throttle_reasons);
    CHECK(*state->throttle_reasons == std::vector<std::string>{"idle", "software power cap"});
}

TEST_CASE("NVML: an unknown device has no state") {
    const auto nvml = Nvml::open(built::fake_nvml);
    REQUIRE(nvml);
    CHECK_FALSE(nvml->state("0000:7f:00.0"));
    CHECK_FALSE(nvml->state(""));
    CHECK_FALSE(nvml->ecc("0000:7f:00.0"));
    CHECK_FALSE(nvml->mig("0000:7f:00.0"));
    CHECK(nvml->uuid("0000:7f:00.0").empty());
}

TEST_CASE("NVML: a library that is absent, foreign or does not start is not opened") {
    CHECK_FALSE(Nvml::open("/nonexistent/libnvidia-ml.so.1"));
    CHECK_FALSE(Nvml::open("libc.so.6"));
    CHECK_FALSE(Nvml::open(built::fake_nvml_fails));
}

TEST_CASE("NVML: stays open when moved, and opens again") {
    auto first = Nvml::open(built::fake_nvml);
    REQUIRE(first);
    Nvml moved = std::move(*first);
    first.reset();
    CHECK(moved.state(talkative));
    auto second = Nvml::open(built::fake_nvml);
    REQUIRE(second);
    moved = std::move(*second);
    CHECK(moved.state(talkative));
}

}  // namespace nvml_test

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
    // First up, as a device wakes up, then down.
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
