#include "analysis/map/relief.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace camber::map {
namespace {

std::size_t index(Shape shape, int row, int column) {
    return static_cast<std::size_t>(row) * shape.columns + column;
}

}  // namespace

Gradient gradient(std::span<const double> altitude, Shape shape, double cell_side, int row,
                  int column) {
    const double own = altitude[index(shape, row, column)];
    const auto at = [&](int down, int right) {
        const int r = row + down;
        const int c = column + right;
        if (r < 0 || r >= shape.rows || c < 0 || c >= shape.columns) return own;
        const double z = altitude[index(shape, r, c)];
        return z < 0 ? own : z;
    };
    const double east =
        (at(-1, 1) + 2 * at(0, 1) + at(1, 1)) - (at(-1, -1) + 2 * at(0, -1) + at(1, -1));
    const double north =
        (at(-1, -1) + 2 * at(-1, 0) + at(-1, 1)) - (at(1, -1) + 2 * at(1, 0) + at(1, 1));
    return {east / (8 * cell_side), north / (8 * cell_side)};
}

double shade(const Gradient& g, const Sun& sun) {
    constexpr double degree = std::numbers::pi / 180;
    const double level = std::cos(sun.elevation * degree);
    const double to_east = level * std::sin(sun.azimuth * degree);
    const double to_north = level * std::cos(sun.azimuth * degree);
    const double up = std::sin(sun.elevation * degree);
    // The normal is (-east, -north, 1) over its length.
    const double cosine = (up - g.east * to_east - g.north * to_north) /
                          std::sqrt(1 + g.east * g.east + g.north * g.north);
    return std::clamp(cosine, 0.0, 1.0);
}

std::vector<double> shaded_relief(std::span<const double> altitude, Shape shape, double cell_side,
                                  const Sun& sun) {
    std::vector<double> light(altitude.size());
    for (int row = 0; row < shape.rows; ++row)
        for (int column = 0; column < shape.columns; ++column) {
            const std::size_t i = index(shape, row, column);
            light[i] = altitude[i] < 0
                           ? -1
                           : shade(gradient(altitude, shape, cell_side, row, column), sun);
        }
    return light;
}

}  // namespace camber::map
