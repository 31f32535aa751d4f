#include "harness/cli/candidate/own_problem.hpp"
#include "tests/catch.hpp"

namespace camber::check_boards_test {

// Boards on which kernels from files are checked.
TEST_CASE("a smaller board has the same remainders", "[cli][try]") {
    constexpr std::int64_t most = 1 << 18;
    const std::vector<Region> region{{32, 8}};
    // The board is already small enough.
    CHECK(board_like({512, 512}, region, most) == Size{512, 512});
    CHECK(board_like({16384, 16384}, region, most) == Size{512, 512});
    for (const Size large : {Size{16384, 16384}, Size{4099, 4093}, Size{1 << 20, 3},
                             Size{3, 1 << 20}, Size{100000, 1000}, Size{1000, 100000}})
        for (const std::vector<Region>& regions :
             {std::vector<Region>{{32, 8}}, std::vector<Region>{{48, 5}, {64, 4}},
              std::vector<Region>{}, std::vector<Region>{{7, 11}}}) {
            CAPTURE(large.columns, large.rows);
            const Size small = board_like(large, regions, most);
            CHECK(small.cells() <= most);
            CHECK(small.columns >= 1);
            CHECK(small.rows >= 1);
            CHECK(small.columns <= large.columns);
            CHECK(small.rows <= large.rows);
            for (const Region& each : regions) {
                CHECK(small.columns % each.columns == large.columns % each.columns);
                CHECK(small.rows % each.rows == large.rows % each.rows);
            }
            // The board is not reduced more than necessary.
            CHECK(small.cells() >= most / 8);
        }
}

}  // namespace camber::check_boards_test
