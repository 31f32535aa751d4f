// Slopes and the light on them, by hand.
#include "analysis/map/relief.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace camber::map::relief_test {
namespace {

// Cells of 10 m on a plane that rises by `east` and `north` m per m.
std::vector<double> plane(Shape shape, double east, double north) {
    std::vector<double> altitude;
    for (int row = 0; row < shape.rows; ++row)
        for (int column = 0; column < shape.columns; ++column)
            altitude.push_back(1000 + 10 * (east * column - north * row));
    return altitude;
}

}  // namespace

TEST_CASE("the gradient of a plane is its own, by Horn's weights", "[map]") {
    const Shape shape{5, 4};
    const auto altitude = plane(shape, 0.25, -0.5);
    const Gradient inside = gradient(altitude, shape, 10, 2, 2);
    CHECK(inside.east == Approx(0.25));
    CHECK(inside.north == Approx(-0.5));
    // Of a single raised cell, its eastern neighbour sees 2 of 8 weights, the south-eastern one 1.
    std::vector<double> bump(9, 100.0);
    bump[4] = 108;
    const Shape three{3, 3};
    CHECK(gradient(bump, three, 1, 1, 1).east == 0);
    CHECK(gradient(bump, three, 1, 1, 2).east == Approx(-2));
    CHECK(gradient(bump, three, 1, 2, 2).east == Approx(-1));
    CHECK(gradient(bump, three, 1, 2, 2).north == Approx(1));
    // Where no altitude is known the ground counts as level.
    bump[4] = -9999;
    CHECK(gradient(bump, three, 1, 1, 2).east == 0);
}

TEST_CASE("ground is bright towards the sun and dark away from it", "[map]") {
    const double root = std::sqrt(0.5);
    CHECK(shade({0, 0}) == Approx(root));
    // 45 degrees down to the north-west: the sun stands upright on it; the other way it grazes.
    CHECK(shade({root, -root}) == Approx(1));
    CHECK(shade({-root, root}) == Approx(0).margin(1e-12));
    CHECK(shade({-3, 3}) == 0);
    // A slope of 45 degrees down to the west: (sin 45 + cos 45 / sqrt 2) / sqrt 2.
    CHECK(shade({1, 0}) == Approx((root + 0.5) * root));
    CHECK(shade({1, 0}) == Approx(shade({0, -1})));
    CHECK(shade({0, 1}, {.azimuth = 180, .elevation = 30}) ==
          Approx((0.5 + std::sqrt(0.75)) * root));
}

TEST_CASE("a relief has the light of every cell and -1 where no ground is known", "[map]") {
    const Shape shape{3, 3};
    auto altitude = plane(shape, 0.5, 0);
    altitude[8] = -9999;
    const auto light = shaded_relief(altitude, shape, 10);
    REQUIRE(light.size() == 9);
    CHECK(light[3 + 1] == shade(gradient(altitude, shape, 10, 1, 1)));
    CHECK(light[8] == -1);
}

}  // namespace camber::map::relief_test
