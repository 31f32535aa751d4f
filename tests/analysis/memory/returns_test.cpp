// Histogram of reuse distances.
#include "analysis/memory/launch_model.hpp"
#include "tests/analysis/memory/toy_kernels.hpp"
#include "tests/catch.hpp"

namespace returns_test {

using namespace camber;

TEST_CASE("distances are told apart by quarters of a power of two", "[memory][launch]") {
    CHECK(return_place(1) == 0);
    CHECK(return_place(2) == 4);
    CHECK(return_place(3) == 6);
    CHECK(return_place(4) == 8);
    CHECK(return_place(7) == 11);
    CHECK(return_place(8) == return_place(9));
    CHECK(return_place(9) < return_place(10));
    CHECK(return_place(~0u) == Returns().size() - 1);
    for (const std::uint32_t sectors : {4u, 5u, 13u, 240u, 1000u, 40000u}) {
        const double distance = return_distance(return_place(sectors));
        CHECK(distance > 0.8 * sectors);
        CHECK(distance < 1.25 * sectors);
    }
}

TEST_CASE("what a warp loads again is counted by what it has loaded meanwhile",
          "[memory][launch]") {
    LaunchAccumulator accumulator(RuleSet::cc50);
    const auto load = [&](std::uint32_t warp, std::int64_t base, std::int64_t block = 0) {
        WarpRequest request = make_request(4, [&](int l) { return base + 4 * l; });
        request.warp = warp;
        accumulator.add(0, request, block);
    };
    load(0, 0);
    load(0, 16);    // four sectors again, each at distance four, and a new one
    load(0, 4096);  // four new sectors
    load(0, 128);   // one at distance nine, and three new ones
    load(0, 0);     // four at distance thirteen
    load(1, 0);     // last loaded by the other warp as its eighteenth sector and later
    load(1, 0);     // four at distance four
    load(1, 4096);  // loaded by the other warp as its tenth sector and later
    load(0, 0, 1);  // another block
    accumulator.add(0,
                    make_request(
                        4, [](int l) { return 4 * l; }, ~0u, Space::texture),
                    1);
    Returns expected{};
    expected[return_place(4)] += 4 + 4;
    expected[return_place(9)] += 1;
    expected[return_place(13)] += 4;
    Returns of_others{};
    of_others[return_place(17)] += 4;
    of_others[return_place(1)] += 4;
    const LaunchModel model = accumulator.finish();
    CHECK(model.reads.returns == expected);
    CHECK(model.reads.of_others == of_others);
    CHECK(model.writes.returns == Returns{});
}

TEST_CASE("distances of reuse do not depend on which of two buffers lies first",
          "[memory][launch]") {
    const auto returns = [](std::int64_t one, std::int64_t other) {
        LaunchAccumulator accumulator(RuleSet::cc50);
        const auto load = [&](std::int64_t of_first_lanes, std::int64_t of_last_lanes) {
            accumulator.add(
                0,
                make_request(
                    4, [&](int l) { return (l < 8 ? of_first_lanes : of_last_lanes) + 4 * l; }),
                0);
        };
        load(one, other);
        load(one, one);
        load(other, one);
        return accumulator.finish().reads.returns;
    };
    const Returns expected = returns(0, 1 << 20);
    CHECK(expected != Returns{});
    CHECK(returns(1 << 20, 0) == expected);
}

}  // namespace returns_test
