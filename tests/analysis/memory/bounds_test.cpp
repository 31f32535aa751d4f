#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "analysis/memory/bounds.hpp"
#include "tests/analysis/memory/toy_kernels.hpp"
#include "tests/catch.hpp"

namespace bounds_test {

using namespace camber;

namespace {

// Two blocks: each loads the same 128 bytes twice and stores 128 bytes of its own, and accesses
// shared memory with a two-way conflict.
LaunchModel two_blocks(RuleSet rules) {
    LaunchAccumulator accumulator(rules);
    for (int block = 0; block < 2; ++block) {
        for (int i = 0; i < 2; ++i) {
            accumulator.add(0, make_request(4, [](int l) { return 4 * l; }), block);
        }
        accumulator.add(1,
                        make_request(
                            4, [&](int l) { return 1024 * (block + 1) + 4 * l; }, ~0u,
                            Space::global, Operation::store),
                        block);
        accumulator.add(2,
                        make_request(
                            4, [](int l) { return 8 * l; }, ~0u, Space::shared),
                        block);
    }
    return accumulator.finish();
}

std::map<Resource, double> seconds(const Bounds& bounds) {
    std::map<Resource, double> map;
    for (const Bound& bound : bounds.all) {
        map[bound.resource] = bound.seconds;
        CHECK(!bound.basis.empty());
    }
    return map;
}

HardwareLimits all_limits() {
    HardwareLimits limits;
    limits.ceilings.copy_bytes_per_second = 1e3;
    limits.ceilings.l2_bytes_per_second = 2e3;
    limits.ceilings.l1_bytes_per_second = 4e3;
    limits.ceilings.shared_bytes_per_second = 8e3;
    limits.sm_count = 2;
    limits.sm_clock_hz = 10;
    limits.issues_per_cycle = 4;
    return limits;
}

}  // namespace

TEST_CASE("time bounds are amounts over ceilings", "[memory][bounds]") {
    const Bounds bounds = time_bounds(two_blocks(RuleSet::cc50), all_limits());
    const auto s = seconds(bounds);
    REQUIRE(s.size() == 5);
    CHECK(s.at(Resource::dram) == Approx((128 + 256) / 1e3));
    CHECK(s.at(Resource::l2) == Approx((256 + 256) / 2e3));
    CHECK(s.at(Resource::l1) == Approx((512 + 256) / 4e3));
    CHECK(s.at(Resource::shared) == Approx(4 * 128 / 8e3));
    CHECK(s.at(Resource::issue) == Approx(8.0 / (4 * 10 * 2)));
    REQUIRE(bounds.largest());
    CHECK(bounds.largest()->resource == Resource::dram);
    CHECK(bounds.largest()->limit() == "DRAM");
}

TEST_CASE("L1 delivers what lanes ask for, not whole sectors", "[memory][bounds]") {
    LaunchAccumulator accumulator(RuleSet::cc50);
    // A 4-byte member of 12-byte structures: 32 lanes in 12 sectors.
    accumulator.add(0, make_request(4, [](int l) { return 12 * l; }), 0);
    const auto s = seconds(time_bounds(accumulator.finish(), all_limits()));
    CHECK(s.at(Resource::l2) == Approx(12 * 32 / 2e3));
    CHECK(s.at(Resource::l1) == Approx(2 * 32 * 4 / 4e3));  // one of the two SMs has a block
}

TEST_CASE("what a ceiling is missing for is not bounded", "[memory][bounds]") {
    const LaunchModel launch = two_blocks(RuleSet::cc50);
    CHECK(time_bounds(launch, {}).all.empty());
    CHECK_FALSE(time_bounds(launch, {}).largest());

    HardwareLimits one;
    one.ceilings.l2_bytes_per_second = 1;
    const Bounds bounds = time_bounds(launch, one);
    REQUIRE(bounds.all.size() == 1);
    CHECK(bounds.largest()->resource == Resource::l2);

    HardwareLimits no_count = all_limits();
    no_count.sm_count.reset();
    CHECK(seconds(time_bounds(launch, no_count)).count(Resource::issue) == 0);
}

TEST_CASE("fewer blocks than SMs use fewer SMs", "[memory][bounds]") {
    HardwareLimits limits = all_limits();
    limits.sm_count = 8;  // two of them have a block
    const auto s = seconds(time_bounds(two_blocks(RuleSet::cc50), limits));
    CHECK(s.at(Resource::l1) == Approx(4 * (512 + 256) / 4e3));
    CHECK(s.at(Resource::shared) == Approx(4 * 4 * 128 / 8e3));
    CHECK(s.at(Resource::issue) == Approx(8.0 / (4 * 10 * 2)));
    CHECK(s.at(Resource::dram) == Approx((128 + 256) / 1e3));
}

TEST_CASE("a warm L2 that holds everything takes DRAM out", "[memory][bounds]") {
    HardwareLimits limits = all_limits();
    limits.warm_l2_bytes = 3 * 128;
    CHECK(seconds(time_bounds(two_blocks(RuleSet::cc50), limits)).count(Resource::dram) == 0);
    limits.warm_l2_bytes = 3 * 128 - 1;
    CHECK(seconds(time_bounds(two_blocks(RuleSet::cc50), limits)).count(Resource::dram) == 1);
}

TEST_CASE("bounds follow the caches of each generation", "[memory][bounds]") {
    // 1.x: half-warps move 64 bytes, there is no cache, and a pass is 16 banks wide.
    const auto cc12 = seconds(time_bounds(two_blocks(RuleSet::cc12), all_limits()));
    CHECK(cc12.at(Resource::dram) == Approx((512 + 256) / 1e3));
    CHECK(cc12.count(Resource::l2) == 0);
    CHECK(cc12.count(Resource::l1) == 0);
    CHECK(cc12.at(Resource::shared) == Approx(2 * 4 * 64 / 8e3));
    // 3.x: loads bypass L1.
    const auto cc30 = seconds(time_bounds(two_blocks(RuleSet::cc30), all_limits()));
    CHECK(cc30.at(Resource::dram) == Approx((128 + 256) / 1e3));
    CHECK(cc30.at(Resource::l2) == Approx((512 + 256) / 2e3));
    CHECK(cc30.at(Resource::shared) == Approx(2 * 128 / 8e3));
}

TEST_CASE("DRAM is as fast as the fastest that was measured of it", "[memory][bounds]") {
    HardwareLimits limits = all_limits();
    limits.ceilings.read = {{1 << 20, 9e3}, {1 << 30, 4e3}};  // the first is L2 bandwidth
    limits.ceilings.write = {{1 << 30, 2e3}};
    const auto s = seconds(time_bounds(two_blocks(RuleSet::cc50), limits));
    CHECK(s.at(Resource::dram) == Approx((128 + 256) / 4e3));
}

TEST_CASE("ceilings are positive", "[memory][bounds]") {
    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        HardwareLimits limits = all_limits();
        limits.ceilings.l1_bytes_per_second = bad;
        CHECK_THROWS_WITH(time_bounds(two_blocks(RuleSet::cc50), limits),
                          contains("l1_bytes_per_second is not positive"));
    }
    HardwareLimits limits = all_limits();
    limits.sm_count = 0;
    CHECK_THROWS_AS(time_bounds(two_blocks(RuleSet::cc50), limits), std::invalid_argument);
}

TEST_CASE("limits of a device come from what measured them", "[memory][results]") {
    const std::string path = std::string(CAMBER_SOURCE_DIR) + "/results/h200/ceilings.json";
    results::Document document = results::read_document(path);
    const auto limits = hardware_limits(document);
    REQUIRE(limits);
    // Reading has the highest measured DRAM bandwidth.
    CHECK(*limits->ceilings.dram() == Approx(4.66255e12).epsilon(1e-4));
    CHECK(*limits->ceilings.l2_bytes_per_second == Approx(1.20376e13).epsilon(1e-4));
    CHECK(*limits->sm_count == 132);
    CHECK(*limits->warm_l2_bytes == 62914560);
    CHECK(document.run()->gpu->name == "NVIDIA H200");
    CHECK(document.run()->gpu->compute_capability == "9.0");
    document.context.run->gpu.reset();
    CHECK_FALSE(hardware_limits(document));
}

}  // namespace bounds_test
