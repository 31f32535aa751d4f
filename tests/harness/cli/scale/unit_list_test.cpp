#include "harness/cli/scale/unit_list.hpp"

#include "harness/base/error.hpp"
#include "tests/catch.hpp"

namespace unit_list_test {

using namespace camber;

TEST_CASE("numbers of units are read in any order, each once", "[cli][scale]") {
    CHECK(parse_unit_list("16,8,16,132", 132) == std::vector<int>{8, 16, 132});
    for (const char* bad : {"", "8,", "0", "133", "8;16", "8.5", "-8"})
        CHECK_THROWS_WITH(parse_unit_list(bad, 132), contains("1 to 132"));
}

}  // namespace unit_list_test
