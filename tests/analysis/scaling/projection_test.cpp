// Projections to more units, against values computed by hand from the fits.
#include "analysis/scaling/projection.hpp"

#include "analysis/scaling/analysis.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace projection_test {

using namespace camber;
using namespace camber::scaling;

TEST_CASE("two points go on by their e, or by their cost", "[scaling]") {
    // T/T1 = 0.55: e = 0.1, and 0.05 for the second unit.
    const auto found = projections(analyse(gpu_series(Times{100, 55})));
    REQUIRE(found.size() == 2);
    CHECK(found[0].p == 4);
    CHECK(found[0].by_serial_part == Approx(1 / (1 + 0.1 * 3)));
    CHECK(found[0].by_unit_cost == Approx(1 / (1 + 4 * 0.05 * 3)));
    CHECK(found[1].p == 8);
    CHECK(found[1].by_serial_part == Approx(1 / (1 + 0.1 * 7)));
    CHECK(found[1].by_unit_cost == Approx(1 / (1 + 8 * 0.05 * 7)));
}

TEST_CASE("longer series go on by their fits, beyond what was measured", "[scaling]") {
    const auto found = projections(analyse(gpu_series(table_6_1)));
    REQUIRE(found.size() == 2);
    CHECK(found[0].p == 8);
    CHECK(found[1].p == 16);
    // Its two-term and its three-term fit (analysis/scaling/fits_test.cpp has their coefficients).
    CHECK(found[0].by_serial_part == Approx(1 / (8 * (0.142416 + 0.843096 / 8))).epsilon(1e-4));
    CHECK(found[0].by_unit_cost ==
          Approx(1 / (8 * (0.033554 + 0.966103 / 8 + 0.023454 * 7))).epsilon(1e-4));
}

TEST_CASE("what does not follow is not said", "[scaling]") {
    Series weak = gpu_series(Times{100, 105});
    weak.mode = Mode::weak;
    CHECK(projections(analyse(weak)).empty());
    // Superlinear: the line of its cost comes to no time at all.
    CHECK(projections(analyse(gpu_series(Times{100, 30}))).empty());
}

}  // namespace projection_test
