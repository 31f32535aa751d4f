#include <functional>

#include "analysis/memory/access_pattern.hpp"
#include "analysis/memory/shared_rules.hpp"
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
    CHECK(describe_pattern(request(words(256, 4))) == "contiguous");
    CHECK(describe_pattern(request(words(260, 4))) == "contiguous, but misaligned by 4 bytes");
    CHECK(describe_pattern(request(words(260, 4), ~0u, Space::shared)) == "contiguous");
    CHECK(describe_pattern(request(words(0, 8))) == "stride of 8 bytes");
    CHECK(describe_pattern(request(words(0, 8448)), 8448) == "stride of one row");
    CHECK(describe_pattern(request(words(64, 0))) == "all lanes access the same 4 bytes");
    CHECK(describe_pattern(request([](int l) { return 4 * (l % 16) + 512 * (l / 16); }), 512) ==
          "2 contiguous pieces, one row apart");
    CHECK(describe_pattern(request([](int l) { return 4 + 4 * (l % 16) + 512 * (l / 16); })) ==
          "2 contiguous pieces, 512 bytes apart, not all aligned to a sector");
    CHECK(describe_pattern(request([](int l) { return 64 * l * l; })) == "scattered");
    CHECK(describe_pattern(request(words(0, 4), 1u << 16)) == "only 1 of 32 lanes is active");
    CHECK(describe_pattern(request(words(0, 32), 0x00010001), 512) ==
          "only 2 of 32 lanes are active; stride of one row");
    CHECK(describe_pattern(request(words(0, 4), 0)).empty());
}

TEST_CASE("the remedy of an access", "[memory]") {
    const auto words = [](std::int64_t first, std::int64_t step) {
        return [=](int lane) { return first + step * lane; };
    };
    const auto remedy = [](const WarpRequest& wasteful, std::int64_t row_bytes = 0) {
        return describe_remedy(wasteful, RuleSet::cc50, row_bytes);
    };
    CHECK(remedy(request(words(256, 4))).empty());
    CHECK_THAT(remedy(request(words(260, 4))), contains("align the first lane to 32 bytes"));
    CHECK_THAT(remedy(request(words(0, 512)), 512), contains("threadIdx.x"));
    CHECK_THAT(remedy(request(words(0, 16))), contains("one array per field"));
    CHECK_THAT(remedy(request(words(64, 0))), contains("load the value once"));
    CHECK_THAT(remedy(request(words(0, 4), 1)), contains("combine such accesses"));
    CHECK_THAT(remedy(request([](int l) { return 64 * l * l; })), contains("neighboring lanes"));
    CHECK_THAT(remedy(request([](int l) { return 4 + 4 * (l % 16) + 512 * (l / 16); })),
               contains("at least 32 threads wide"));
    CHECK(remedy(request(words(0, 4), 0)).empty());

    const auto shared = [&](const std::function<std::int64_t(int)>& address) {
        return remedy(request(address, ~0u, Space::shared));
    };
    CHECK(shared(words(4, 4)).empty());
    CHECK(shared(words(0, 128)) == "pad the row by one element");
    CHECK_THAT(shared(words(0, 8)), contains("consecutive elements"));
    CHECK(shared([](int l) { return 4 + 4 * (l % 16) + 72 * (l / 16); }) ==
          "use blocks at least 32 threads wide, or pad the row by 30 elements");
    CHECK_THAT(shared([](int l) { return 128 * l * l; }), contains("different banks"));

    CHECK(remedy(request(words(0, 0), ~0u, Space::constant)).empty());
    CHECK_THAT(remedy(request(words(0, 4), ~0u, Space::constant)), contains("same address"));
}

TEST_CASE("suggested padding removes the conflicts", "[memory]") {
    for (int pitch = 16; pitch <= 256; ++pitch) {
        const auto column = [&](int padding) {
            return request([=](int l) { return std::int64_t{4} * (pitch + padding) * l; }, ~0u,
                           Space::shared);
        };
        const std::string remedy = describe_remedy(column(0), RuleSet::cc50);
        CAPTURE(pitch, remedy);
        if (remedy.empty()) {
            CHECK(count_passes(column(0), RuleSet::cc50).conflicts() == 0);
            continue;
        }
        REQUIRE(remedy == "pad the row by one element");
        CHECK(count_passes(column(1), RuleSet::cc50).conflicts() == 0);
    }
}

}  // namespace access_pattern_test
