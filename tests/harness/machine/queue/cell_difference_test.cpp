// Cells that are not finite: equal bits pass, and no tolerance covers anything else.
#include "harness/machine/queue/cell_difference.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"

namespace camber::cell_difference_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

template <class Float>
FieldDifference compared(const std::vector<Float>& actual, const std::vector<Float>& expected,
                         ElementType type) {
    const CellLimits limits{false, 0.5, 1e-3};
    const auto columns = static_cast<int>(actual.size());
    return difference_of(actual.data(), actual.size() * sizeof(Float), expected.data(), type,
                         {columns, 1}, limits, 1);
}

template <class Float>
void check_cells(ElementType type) {
    const auto differs = [&](double actual, double expected) {
        return compared<Float>({static_cast<Float>(actual)}, {static_cast<Float>(expected)}, type)
                   .differing == 1;
    };
    CHECK_FALSE(differs(infinity, infinity));
    CHECK_FALSE(differs(-infinity, -infinity));
    CHECK(differs(3, infinity));
    CHECK(differs(3, -infinity));
    CHECK(differs(-infinity, infinity));
    CHECK(differs(infinity, 3));
    CHECK(differs(nan, 3));
    CHECK(differs(nan, infinity));
    CHECK(differs(3, nan));
    CHECK_FALSE(differs(3.25, 3));
    CHECK(differs(4, 3));
    CHECK_FALSE(differs(100'050, 100'000));
}

TEST_CASE("an infinity is equal to itself alone", "[verification]") {
    check_cells<float>(ElementType::float32);
    check_cells<double>(ElementType::float64);
}

}  // namespace
}  // namespace camber::cell_difference_test
