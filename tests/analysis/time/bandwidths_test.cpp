#include "analysis/time/machine.hpp"

#include <cstdint>

#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::bandwidths_test {
namespace {

constexpr std::int64_t small = 1 << 20;
constexpr std::int64_t middle = 1 << 24;
constexpr std::int64_t large = 1 << 30;

StandInCurve other(const Ceilings& ceilings, const TrafficMix& mix) {
    const auto found = stand_in_curve(ceilings, mix);
    REQUIRE(found);
    return *found;
}

}  // namespace

TEST_CASE("a mix between two that were measured lies between their bandwidths", "[time]") {
    Ceilings ceilings;
    ceilings.read = {{small, 8e12}, {large, 2e12}};
    ceilings.copy = {{middle, 1e12}};
    ceilings.write = {{large, 1e12}};
    const StandInCurve triad = other(ceilings, traffic::triads);
    CHECK(triad.source == "between those of reads and copies");
    // A third is written: two thirds of the way from reads to copies, at the sizes of both curves.
    REQUIRE(triad.curve.size() == 3);
    CHECK(triad.curve[0].working_set_bytes == small);
    CHECK(triad.curve[0].bytes_per_second == Approx(8e12 / 3 + 1e12 * 2 / 3));
    CHECK(triad.curve[1].working_set_bytes == middle);
    CHECK(triad.curve[2].working_set_bytes == large);
    CHECK(triad.curve[2].bytes_per_second == Approx(2e12 / 3 + 1e12 * 2 / 3));

    ceilings.copy.clear();
    CHECK(other(ceilings, traffic::copies).source == "between those of reads and writes");
    CHECK(other(ceilings, traffic::copies).curve.back().bytes_per_second == Approx(1.5e12));
    ceilings.triad = {{large, 1.8e12}};
    CHECK(other(ceilings, traffic::copies).source == "between those of triads and writes");
}

TEST_CASE("a mix beyond those that were measured has the nearest one's bandwidth", "[time]") {
    Ceilings ceilings;
    CHECK_FALSE(stand_in_curve(ceilings, traffic::reads));
    ceilings.read = {{large, 2e12}};
    CHECK(other(ceilings, traffic::copies).source == "as that of reads");
    ceilings.copy = {{small, 3e12}, {large, 1e12}};
    CHECK(other(ceilings, traffic::writes).source == "as that of copies");
    CHECK(other(ceilings, traffic::writes).curve.size() == 2);
    CHECK(other(ceilings, traffic::writes).curve.front().bytes_per_second == 3e12);
    ceilings.read.clear();
    CHECK(other(ceilings, traffic::reads).source == "as that of copies");
}

TEST_CASE("a time from a stood-in bandwidth is uncertain, and says why", "[time]") {
    HardwareLimits limits = round_limits();
    limits.ceilings.triad.clear();
    limits.ceilings.write.clear();
    const auto machine = std::get<Machine>(machine_of(limits, parse_architecture("sm_90")));
    REQUIRE(machine.assumed.size() == 2);
    CHECK(machine.assumed[0].what == "bandwidth of triads");
    CHECK(machine.assumed[0].cycles == Approx((2e3 + 2 * 1e3) / 3));
    CHECK(machine.assumed[0].unit == "GB/s");
    CHECK(machine.assumed[0].source == "at 1024 MiB, between those of reads and copies");
    CHECK(machine.assumed[1].what == "bandwidth of writes");
    CHECK(machine.assumed[1].source == "at 1024 MiB, as that of copies");
    CHECK(machine.memory_rate(4e9, 1) == machine.memory_rate(4e9, 0.5));
    const PredictedTime time = kernel_time(plain_kernel(), machine);
    CHECK(time.doubts.size() == 2);
    CHECK(time.doubts.back() == "the bandwidth of writes is taken as that of copies");
    CHECK(kernel_time(plain_kernel(), round_machine()).doubts.empty());
}

}  // namespace camber::bandwidths_test
