#include "harness/base/number_text.hpp"

#include "tests/catch.hpp"

namespace number_text_test {

using namespace camber;

TEST_CASE("shares and times read as people write them", "[base]") {
    CHECK(percent(0.4567) == "45.7 %");
    CHECK(percent(0.4567, 2) == "45.67 %");
    CHECK(percent(std::nullopt) == "-");
    CHECK(percent(std::optional(1.0)) == "100.0 %");
    CHECK(duration(12346) == "12.35 us");
    CHECK(duration(1.5e6) == "1.500 ms");
    CHECK(duration(2e9) == "2.000 s");
}

}  // namespace number_text_test
