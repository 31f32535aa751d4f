#include <algorithm>
#include <string>

#include "analysis/map/canvas.hpp"
#include "tests/catch.hpp"

namespace camber::map::canvas_test {

// Pixels, letters and colors.

namespace {

// Picture of black pixels as '#', one line per row.
std::string shape_of(const Canvas& canvas) {
    std::string text;
    for (int row = 0; row < canvas.rows(); ++row) {
        for (int column = 0; column < canvas.columns(); ++column)
            text += canvas.at(column, row) == black ? '#' : '.';
        text += '\n';
    }
    return text;
}

}  // namespace

TEST_CASE("what lies beyond a canvas is left out", "[map]") {
    Canvas canvas(4, 3);
    canvas.fill(-5, -5, 7, 7, black);
    canvas.put(3, 2, black);
    canvas.put(4, 2, black);
    canvas.put(0, -1, black);
    CHECK(shape_of(canvas) == "##..\n##..\n...#\n");
    Canvas framed(4, 4);
    framed.frame(0, 0, 4, 4, black);
    CHECK(shape_of(framed) == "####\n#..#\n#..#\n####\n");
}

TEST_CASE("a disc is round and has a rim", "[map]") {
    Canvas canvas(7, 7);
    canvas.disc(3, 3, 2, white, black);
    CHECK(shape_of(canvas) == ".......\n..###..\n.#...#.\n.#...#.\n.#...#.\n..###..\n.......\n");
}

TEST_CASE("numbers and units are drawn dot by dot", "[map]") {
    Canvas canvas(text_width("1m", 1), text_height(1));
    CHECK(canvas.columns() == 11);
    CHECK(canvas.rows() == 7);
    canvas.text(0, 0, "1m", 1, black);
    CHECK(shape_of(canvas) ==
          "..#........\n.##........\n..#...##.#.\n..#...#.#.#\n..#...#.#.#\n..#...#.#.#\n"
          ".###..#.#.#\n");
    Canvas large(text_width("1", 3), text_height(3));
    large.text(0, 0, "1", 3, black);
    const auto dots = [](const Canvas& c) { return std::ranges::count(c.pixels(), black); };
    Canvas one(5, 7);
    one.text(0, 0, "1", 1, black);
    CHECK(dots(large) == 9 * dots(one));
    // All letters differ, and unknown ones leave a gap.
    std::string seen;
    for (const char letter : std::string("0123456789.-mkK x")) {
        Canvas glyph(5, 7);
        glyph.text(0, 0, std::string(1, letter), 1, black);
        const std::string shape = shape_of(glyph);
        if (letter == ' ' || letter == 'x')
            CHECK(dots(glyph) == 0);
        else
            CHECK(seen.find(shape) == std::string::npos);
        seen += shape + "|";
    }
    CHECK(text_width("", 2) == 0);
}

TEST_CASE("glowing colours become lighter from one end to the other", "[map]") {
    CHECK(lightness(black) == Approx(0));
    CHECK(lightness(white) == Approx(100));
    CHECK(lightness({119, 119, 119}) == Approx(50).margin(0.5));  // middle gray of CIE L*
    double before = 0;
    for (int i = 0; i <= 200; ++i) {
        const double now = lightness(glowing(i / 200.0));
        CHECK(now > before);
        before = now;
    }
    CHECK(lightness(glowing(0)) < 15);
    CHECK(lightness(glowing(1)) > 95);
    CHECK(glowing(-3) == glowing(0));
    CHECK(glowing(7) == glowing(1));
    CHECK(mixed(black, white, 0.5) == Rgb{128, 128, 128});
    CHECK(mixed({10, 20, 30}, {20, 10, 30}, 0.1) == Rgb{11, 19, 30});
}

}  // namespace camber::map::canvas_test
