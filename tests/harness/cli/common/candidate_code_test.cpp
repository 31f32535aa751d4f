#include "harness/cli/common/candidate_code.hpp"

#include "tests/catch.hpp"

namespace camber::candidate_code_test {

// Of cuobjdump 13.5, of two kernels for sm_90.
TEST_CASE("registers and local memory are read off cuobjdump's resource usage", "[try]") {
    const char* const listing =
        "\nResource usage:\n Common:\n  GLOBAL:0\n"
        " Function plain:\n"
        "  REG:10 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0\n"
        " Function _Z4stepILi4EEvPKfPfi:\n"
        "  REG:24 STACK:64 SHARED:2048 LOCAL:0 CONSTANT[0]:548 TEXTURE:0 SURFACE:0 SAMPLER:0\n";
    const auto step = parse_usage(listing, "_Z4stepILi4EEvPKfPfi");
    REQUIRE(step);
    CHECK(step->registers == 24);
    CHECK(step->local_bytes == 64);
    REQUIRE(parse_usage(listing, "plain"));
    CHECK(parse_usage(listing, "plain")->registers == 10);
    CHECK_FALSE(parse_usage(listing, "_Z4step"));
    CHECK_FALSE(parse_usage("", "plain"));
    CHECK_FALSE(parse_usage(" Function plain:", "plain"));
}

}  // namespace camber::candidate_code_test
