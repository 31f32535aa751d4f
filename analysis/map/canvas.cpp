#include "analysis/map/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace camber::map {
namespace {

constexpr int glyph_columns = 5;
constexpr int glyph_rows = 7;

struct Glyph {
    char letter;
    std::array<std::string_view, glyph_rows> dots;
};

constexpr Glyph glyphs[] = {
    {'0', {" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "}},
    {'1', {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'2', {" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"}},
    {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {"  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "  #  ", " #   ", " #   ", " #   "}},
    {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "}},
    {'.', {"     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "}},
    {'-', {"     ", "     ", "     ", " ### ", "     ", "     ", "     "}},
    {'m', {"     ", "     ", "## # ", "# # #", "# # #", "# # #", "# # #"}},
    {'k', {"#    ", "#    ", "#  # ", "# #  ", "##   ", "# #  ", "#  # "}},
    {'K', {"#   #", "#  # ", "# #  ", "##   ", "# #  ", "#  # ", "#   #"}},
};

std::uint8_t between(std::uint8_t from, std::uint8_t to, double share) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * share));
}

}  // namespace

Rgb mixed(Rgb from, Rgb to, double share) {
    return {between(from.red, to.red, share), between(from.green, to.green, share),
            between(from.blue, to.blue, share)};
}

void Canvas::put(int column, int row, Rgb colour) {
    if (column >= 0 && column < columns_ && row >= 0 && row < rows_)
        pixels_[index(column, row)] = colour;
}

void Canvas::fill(int column, int row, int columns, int rows, Rgb colour) {
    for (int r = row; r < row + rows; ++r)
        for (int c = column; c < column + columns; ++c) put(c, r, colour);
}

void Canvas::frame(int column, int row, int columns, int rows, Rgb colour) {
    fill(column, row, columns, 1, colour);
    fill(column, row + rows - 1, columns, 1, colour);
    fill(column, row, 1, rows, colour);
    fill(column + columns - 1, row, 1, rows, colour);
}

void Canvas::disc(int column, int row, int radius, Rgb colour, Rgb rim) {
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x) {
            const double distance = std::sqrt(static_cast<double>(x * x + y * y));
            if (distance <= radius + 0.5)
                put(column + x, row + y, distance > radius - 0.5 ? rim : colour);
        }
}

void Canvas::text(int column, int row, std::string_view text, int size, Rgb colour) {
    for (const char letter : text) {
        for (const Glyph& glyph : glyphs) {
            if (glyph.letter != letter) continue;
            for (int y = 0; y < glyph_rows; ++y)
                for (int x = 0; x < glyph_columns; ++x)
                    if (glyph.dots[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#')
                        fill(column + x * size, row + y * size, size, size, colour);
        }
        column += (glyph_columns + 1) * size;
    }
}

int text_width(std::string_view text, int size) {
    return text.empty() ? 0 : (static_cast<int>(text.size()) * (glyph_columns + 1) - 1) * size;
}

int text_height(int size) {
    return glyph_rows * size;
}

namespace {

// Equidistant colors.
constexpr Rgb anchors[] = {{40, 11, 84},  {87, 16, 110},  {136, 34, 106}, {186, 54, 85},
                           {227, 89, 51}, {249, 140, 10}, {249, 201, 50}, {252, 255, 164}};

double linear(std::uint8_t value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

}  // namespace

Rgb glowing(double share) {
    constexpr std::size_t last = std::size(anchors) - 1;
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(last);
    const std::size_t below = std::min(static_cast<std::size_t>(place), last - 1);
    return mixed(anchors[below], anchors[below + 1], place - static_cast<double>(below));
}

double lightness(Rgb colour) {
    const double y =
        0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
    constexpr double cube = 216.0 / 24389;
    return y > cube ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

}  // namespace camber::map
