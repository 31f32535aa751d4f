// Ground as it looks in slanting light.
#pragma once

#include <span>
#include <vector>

namespace camber::map {

// Rows and columns of a raster; its cells are row by row, the northernmost first.
struct Shape {
    int columns = 0;
    int rows = 0;
};

// Where the sun stands, degrees: clockwise from north, and above the horizon.
struct Sun {
    double azimuth = 315;
    double elevation = 45;
};

// By how much the ground rises to the east and to the north, in m per m: Horn's weighted
// differences of the eight neighbours (Proceedings of the IEEE 69, 1981). Neighbours beyond the
// edge, or without an altitude (below 0), count as the cell itself.
struct Gradient {
    double east = 0;
    double north = 0;
};
Gradient gradient(std::span<const double> altitude, Shape shape, double cell_side, int row,
                  int column);

// Light that a slope returns, 0 (none) to 1 (all, where it faces the sun): the cosine between its
// normal and the sun's direction.
double shade(const Gradient& gradient, const Sun& sun = {});

// The shade of every cell; -1 where no altitude is known.
std::vector<double> shaded_relief(std::span<const double> altitude, Shape shape, double cell_side,
                                  const Sun& sun = {});

}  // namespace camber::map
