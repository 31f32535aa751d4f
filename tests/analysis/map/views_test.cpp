#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/map/canvas.hpp"
#include "analysis/map/views.hpp"
#include "tests/catch.hpp"

namespace camber::map::relief_test {

// Slopes and their shading, compared with hand calculations.

namespace {

// A plane of 10 m cells that rises by `east` and `north` m per m.
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
    // A single raised cell has weight 2 of 8 for its eastern neighbor, 1 for the south-eastern one.
    std::vector<double> bump(9, 100.0);
    bump[4] = 108;
    const Shape three{3, 3};
    CHECK(gradient(bump, three, 1, 1, 1).east == 0);
    CHECK(gradient(bump, three, 1, 1, 2).east == Approx(-2));
    CHECK(gradient(bump, three, 1, 2, 2).east == Approx(-1));
    CHECK(gradient(bump, three, 1, 2, 2).north == Approx(1));
    // Cells without an altitude count as level ground.
    bump[4] = -9999;
    CHECK(gradient(bump, three, 1, 1, 2).east == 0);
}

TEST_CASE("ground is bright towards the sun and dark away from it", "[map]") {
    const double root = std::sqrt(0.5);
    CHECK(shade({0, 0}) == Approx(root));
    // 45 degrees down to the north-west faces the sun; the opposite slope is parallel to its rays.
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

namespace camber::map::lava_map_test {

// Pixels of lava maps.

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Level ground of 40 x 30 cells of 10 m with lava in row 10, columns 20 to 23: 1, 2, 4, 3.5 m.
LavaMap level() {
    LavaMap map;
    map.shape = {40, 30};
    map.cell_side = 10;
    map.altitude.assign(1200, 500.0);
    map.values.assign(1200, none);
    const double lava[] = {1, 2, 4, 3.5};
    std::ranges::copy(lava, map.values.begin() + 10 * 40 + 20);
    map.unit = "m";
    map.lowest = 0;
    return map;
}

}  // namespace

TEST_CASE("lava is coloured by its value on grey ground", "[map]") {
    const LavaMap map = level();
    const Canvas canvas = draw(map, whole(map), 2);
    CHECK(canvas.rows() > 60);
    CHECK(canvas.columns() >= 80);
    const auto cell = [&](int row, int column) { return canvas.at(2 * column, 2 * row); };
    const Rgb ground = cell(0, 0);
    CHECK(std::abs(ground.red - ground.blue) < 6);  // gray
    CHECK(cell(29, 39) == ground);
    // Scale from 0 to 4 m; all four pixels of a cell have the same color.
    CHECK(cell(10, 20) == glowing(0.25));
    CHECK(cell(10, 21) == glowing(0.5));
    CHECK(cell(10, 22) == glowing(1));
    CHECK(canvas.at(45, 21) == glowing(1));
    CHECK(cell(10, 24) == ground);
    // White beyond the map.
    CHECK(canvas.at(canvas.columns() - 1, 0) == white);
}

TEST_CASE("slopes show through lava, and ground that is unknown has its own colour", "[map]") {
    LavaMap map = level();
    for (int row = 0; row < 30; ++row)
        for (int column = 0; column < 40; ++column)
            map.altitude[static_cast<std::size_t>(row) * 40 + column] =
                1000 - 8.0 * row + (column < 22 ? 8.0 : -8.0) * column;
    map.values[10 * 40 + 21] = map.values[10 * 40 + 23] = 2;
    map.altitude[0] = -9999;
    const Canvas canvas = draw(map, whole(map), 1);
    // West of the crest the ground faces the sun, east of it away.
    CHECK(lightness(canvas.at(5, 20)) > lightness(canvas.at(35, 20)));
    CHECK(lightness(canvas.at(20, 10)) != lightness(glowing(0.25)));
    CHECK(lightness(canvas.at(23, 10)) < lightness(glowing(0.5)));
    CHECK(canvas.at(0, 0) != canvas.at(1, 0));
    CHECK(canvas.at(0, 0).blue > canvas.at(0, 0).red);
}

TEST_CASE("vents are discs and the real flow is an outline", "[map]") {
    LavaMap map = level();
    map.vents = {{5, 6}};
    map.real.assign(1200, 0);
    for (int row = 20; row < 25; ++row)
        for (int column = 30; column < 36; ++column)
            map.real[static_cast<std::size_t>(row) * 40 + column] = 1;
    const Canvas canvas = draw(map, whole(map), 3);
    CHECK(canvas.at(6 * 3 + 1, 5 * 3 + 1) == white);
    CHECK(canvas.at(6 * 3 + 1 + 3, 5 * 3 + 1) == black);
    const Rgb line = canvas.at(30 * 3, 20 * 3);
    CHECK(line.blue > 200);
    CHECK(canvas.at(30 * 3 + 1, 20 * 3) == line);      // along the northern side
    CHECK(canvas.at(30 * 3, 24 * 3 + 1) == line);      // along the western side
    CHECK(canvas.at(36 * 3 - 1, 24 * 3 + 2) == line);  // the south-eastern corner
    CHECK(canvas.at(32 * 3 + 1, 22 * 3 + 1) != line);  // not inside
    CHECK(canvas.at(29 * 3 + 2, 20 * 3) != line);      // not outside
}

TEST_CASE("a map may be cut to the flow, its vents and the real flow", "[map]") {
    LavaMap map = level();
    // Columns 20 to 23 of row 10, with a margin of 5 cells.
    Window window = around_flow(map);
    CHECK(window.first_row == 5);
    CHECK(window.rows == 11);
    CHECK(window.first_column == 15);
    CHECK(window.columns == 14);
    map.vents = {{1, 39}};
    map.real.assign(1200, 0);
    map.real[12 * 40 + 2] = 1;
    window = around_flow(map);
    CHECK(window.first_row == 0);
    CHECK(window.rows == 12 + 1 + 5);
    CHECK(window.first_column == 0);
    CHECK(window.columns == 40);
    map.values.assign(1200, none);
    map.vents.clear();
    map.real.clear();
    CHECK(around_flow(map).rows == 30);
    CHECK(around_flow(map).columns == 40);
}

TEST_CASE("the ends of the colours are values that can be read", "[map]") {
    LavaMap map = level();
    const auto scale = [&](double highest) {
        map.values.assign(1200, none);
        map.values[3] = highest / 2;
        map.values[4] = highest;
        return scale_of(map);
    };
    CHECK(scale(4).highest == Approx(4));
    CHECK(scale(9.34).highest == Approx(9.4));
    CHECK(scale(0.0123).highest == Approx(0.013));
    CHECK(scale(123).highest == Approx(130));
    CHECK(scale(9.34).lowest == 0);
    map.lowest.reset();
    CHECK(scale(1360).lowest == 680);
    CHECK(scale(1360).highest == 1360);
    map.values.assign(1200, none);
    CHECK(scale_of(map).highest > scale_of(map).lowest);
    CHECK(label_of(0) == "0");
    CHECK(label_of(1360) == "1360");
    CHECK(label_of(1251.5) == "1252");
    CHECK(label_of(6.5) == "6.5");
    CHECK(label_of(13) == "13");
    CHECK(label_of(0.095) == "0.095");
    CHECK(label_of(0.4725) == "0.47");
    CHECK(bar_length(1200) == 1000);
    CHECK(bar_length(999) == 500);
    CHECK(bar_length(499) == 200);
    CHECK(bar_length(0.5) == Approx(0.5));
}

TEST_CASE("the legend has the colours in order and a bar of a round length", "[map]") {
    const LavaMap map = level();
    const Canvas canvas = draw(map, whole(map), 4);  // 120 pixels represent 300 m: a bar of 200 m
    const int row = 30 * 4 + 8 + 6;
    CHECK(canvas.at(9, row) == glowing(1 / 159.0));
    CHECK(canvas.at(8 + 80, row) == glowing(80 / 159.0));
    const auto blacks = [&](int r, int first, int end) {
        int count = 0;
        for (int column = first; column < end; ++column) count += canvas.at(column, r) == black;
        return count;
    };
    CHECK(blacks(30 * 4 + 8 + 10, 170, canvas.columns()) == 80);
    CHECK(blacks(30 * 4 + 8 + 4, 170, canvas.columns()) == 2);
}

}  // namespace camber::map::lava_map_test

namespace camber::map::side_view_test {

// Side views of particles: positions and occlusion.

namespace {

// Pixel of the dot at column x and height z in a view that is `top` spacings high.
Rgb pixel(const Canvas& canvas, int x, int z, int top) {
    constexpr int margin = 8;
    return canvas.at(margin + 3 * x + 1, margin + 3 * (top - z) + 1);
}

}  // namespace

TEST_CASE("nearer water hides what is behind it, and walls hide nothing", "[map]") {
    SideView view;
    view.spacing = 0.5;
    view.dots = {{0, 0, 0, 9, false},   {1, 0.5, 0, 4, true}, {1, 1, 0, 2, true},
                 {1.5, 0, 1, 0, false}, {1.5, 2, 1, 3, true}, {0.5, 0, 0.5, 2, true}};
    const ValueRange range = range_of(view);
    CHECK(range.lowest == 2);
    CHECK(range.highest == 4);
    const Canvas canvas = draw(view, 3);
    const Rgb wall = pixel(canvas, 0, 0, 2);
    CHECK(wall != white);
    CHECK(wall.red == wall.blue);
    CHECK(pixel(canvas, 2, 0, 2) == glowing(1));    // the nearer of two
    CHECK(pixel(canvas, 3, 2, 2) == glowing(0.5));  // drawn over a nearer wall
    CHECK(pixel(canvas, 1, 1, 2) == glowing(0));
    CHECK(pixel(canvas, 0, 2, 2) == white);
}

TEST_CASE("a view without water, or of one value, has a range all the same", "[map]") {
    SideView view;
    CHECK(range_of(view).highest == 1);
    view.dots = {{0, 0, 0, 5, true}};
    CHECK(range_of(view).lowest == 5);
    CHECK(range_of(view).highest == 6);
    CHECK(draw(view, 1).columns() > 160);
}

}  // namespace camber::map::side_view_test
