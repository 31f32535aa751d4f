// Canvas of colored pixels that pictures are drawn on, and a perceptually ordered color map for
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace camber::map {

struct Rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

inline constexpr Rgb white{255, 255, 255};
inline constexpr Rgb black{0, 0, 0};

// Linear blend of two colors; `share`, 0 to 1, is the weight of `to`.
Rgb mixed(Rgb from, Rgb to, double share);

// Rectangle of pixels with the origin at the upper left. Drawing is clipped at its edges.
class Canvas {
  public:
    Canvas(int columns, int rows, Rgb background = white)
        : columns_(columns),
          rows_(rows),
          pixels_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), background) {}

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    const std::vector<Rgb>& pixels() const { return pixels_; }  // row by row
    Rgb at(int column, int row) const { return pixels_[index(column, row)]; }

    void put(int column, int row, Rgb colour);
    void fill(int column, int row, int columns, int rows, Rgb colour);
    void frame(int column, int row, int columns, int rows, Rgb colour);  // the outermost pixels of
                                                                         // a rectangle
    // A filled disc with a rim of another color.
    void disc(int column, int row, int radius, Rgb colour, Rgb rim);
    // Draws text with its upper left corner at (column, row), `size` pixels per dot of a letter.
    // Letters unsupported by text_width() leave a gap.
    void text(int column, int row, std::string_view text, int size, Rgb colour);

  private:
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row) * columns_ + column;
    }
    int columns_;
    int rows_;
    std::vector<Rgb> pixels_;
};

// Supports letters of 5 by 7 dots with a gap of one dot: digits, '.', '-', ' ', 'm', 'k' and 'K'.
int text_width(std::string_view text, int size);
int text_height(int size);

// Color of a value by the map "inferno" of N. J. Smith and S. van der Walt (matplotlib, CC0),
// without its blackest part: from dark violet at 0 over red to pale yellow at 1, with increasing
// lightness. `share` is clamped to [0, 1].
Rgb glowing(double share);

// Perceived lightness of a color, 0 to 100 (CIE 1976 L*).
double lightness(Rgb colour);

}  // namespace camber::map
