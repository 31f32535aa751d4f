// Canvas of colored pixels that pictures are drawn on, and a perceptually ordered color map for
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace camber::map {

// Pixels in colour, and what can be put on them.
struct Rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

inline constexpr Rgb white{255, 255, 255};
inline constexpr Rgb black{0, 0, 0};

// The colour at `share`, 0 to 1, of the way from one to the other.
Rgb mixed(Rgb from, Rgb to, double share);

// A rectangle of pixels, (0, 0) at the upper left. What is drawn beyond its edge is left out.
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
    void frame(int column, int row, int columns, int rows, Rgb colour);  // its outermost pixels
    // A filled disc with a rim of another colour.
    void disc(int column, int row, int radius, Rgb colour, Rgb rim);
    // Upper left corner of the text's first letter; `size` pixels for each dot of a letter. Letters
    // that text_width() does not know leave a gap.
    void text(int column, int row, std::string_view text, int size, Rgb colour);

  private:
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row) * columns_ + column;
    }
    int columns_;
    int rows_;
    std::vector<Rgb> pixels_;
};

// For letters with 5 by 7 dots and a dot between them: digits, '.', '-', ' ', 'm', 'k' and 'K'.
int text_width(std::string_view text, int size);
int text_height(int size);

// Colours for values in an order that the eye sees.

// The map "inferno" of N. J. Smith and S. van der Walt (matplotlib, CC0), without its blackest
// part: from dark violet at 0 over red to pale yellow at 1, every step lighter than the one before.
// Values beyond are taken as 0 or 1.
Rgb glowing(double share);

// Lightness of a colour as it is seen, 0 to 100 (CIE 1976 L*).
double lightness(Rgb colour);

}  // namespace camber::map
