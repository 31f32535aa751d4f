#include "analysis/memory/access_pattern.hpp"

#include <functional>

#include "tests/catch.hpp"

namespace access_pattern_test {

using namespace camber;

namespace {

WarpRequest request(const std::function<std::int64_t(int)>& address, std::uint32_t active = ~0u,
                    Space space = Space::global) {
    WarpRequest result;
    result.active = active;
    result.space = space;
    for (int lane = 0; lane < warp_lanes; ++lane) result.address[lane] = address(lane);
    return result;
}

}  // namespace

TEST_CASE("a warp's addresses in words", "[memory]") {
    const auto words = [](std::int64_t first, std::int64_t step) {
        return [=](int lane) { return first + step * lane; };
    };
    CHECK(describe_pattern(request(words(256, 4))) == "the warp's lanes are consecutive");
    CHECK(describe_pattern(request(words(260, 4))) ==
          "the warp's lanes are consecutive, but start 4 bytes past the beginning of a sector");
    CHECK(describe_pattern(request(words(260, 4), ~0u, Space::shared)) ==
          "the warp's lanes are consecutive");
    CHECK(describe_pattern(request(words(0, 8))) == "the warp's lanes are 8 bytes apart");
    CHECK(describe_pattern(request(words(0, 8448)), 8448) == "the warp's lanes are a row apart");
    CHECK(describe_pattern(request(words(64, 0))) == "the warp's lanes all want the same 4 bytes");
    CHECK(describe_pattern(request([](int l) { return 4 * (l % 16) + 512 * (l / 16); }), 512) ==
          "the warp's lanes stand in 2 runs a row apart");
    CHECK(describe_pattern(request([](int l) { return 4 + 4 * (l % 16) + 512 * (l / 16); })) ==
          "the warp's lanes stand in 2 runs 512 bytes apart, which do not all start where a sector "
          "begins");
    CHECK(describe_pattern(request([](int l) { return 64 * l * l; })) ==
          "the warp's lanes are scattered");
    CHECK(describe_pattern(request(words(0, 4), 1u << 16)) == "1 of the warp's 32 lanes is active");
    CHECK(describe_pattern(request(words(0, 32), 0x00010001), 512) ==
          "2 of the warp's 32 lanes are active and are a row apart");
    CHECK(describe_pattern(request(words(0, 4), 0)).empty());
}

}  // namespace access_pattern_test
