// Particles from the side: what stands where, and what hides what.
#include "analysis/map/side_view.hpp"

#include "analysis/map/colours.hpp"
#include "tests/catch.hpp"

namespace camber::map::side_view_test {
namespace {

// A pixel of the dot at column x and height z of a view that is `top` spacings high.
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
    CHECK(pixel(canvas, 3, 2, 2) == glowing(0.5));  // over a wall in front of it
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
