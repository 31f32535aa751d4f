// Views of a board as pixels, computed without files: a map of lava on shaded ground, and particles
// seen from the side. `camber picture` saves them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/map/canvas.hpp"

namespace camber::map {

// Ground as it looks in slanting light.

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

// A map of lava on shaded ground: pixels from numbers, without files.
struct Place {
    int row = 0;
    int column = 0;
};

// All rasters have shape.columns * shape.rows cells, row by row, the northernmost first.
struct LavaMap {
    Shape shape;
    double cell_side = 1;            // m
    std::vector<double> altitude;    // m; below 0 where none is known
    std::vector<double> values;      // that lava is coloured by; NaN where there is none
    std::vector<std::uint8_t> real;  // not 0 where the real flow passed; or empty
    std::vector<Place> vents;
    std::string unit;              // of the values: "m" or "K"
    std::optional<double> lowest;  // at the dark end of the colours; absent: the lowest value
};

struct Window {
    int first_row = 0, first_column = 0;
    int rows = 0, columns = 0;
};

// The whole map.
Window whole(const LavaMap& map);
// What has lava, vents or the real flow, with a margin of a tenth of its longer side, at least 5
// cells, as far as the map goes; the whole map where there is nothing.
Window around_flow(const LavaMap& map);

// What the ends of the colours stand for.
struct Scale {
    double lowest = 0;
    double highest = 1;
};
// From the lowest to the highest value, the latter rounded up to two digits where `lowest` is
// given. Around one value where there is no other.
Scale scale_of(const LavaMap& map);

// A number of the legend: whole, or with up to three decimals, so that two digits count.
std::string label_of(double value);

// The length of a scale bar: 1, 2 or 5 times a power of ten m, at most `longest`, which is
// positive.
double bar_length(double longest);

// The window with `pixels` by `pixels` of the picture for each cell: relief, lava (brighter or
// darker with the relief, so that its shape stays visible), the outline of the real flow in blue,
// and vents as discs. Below it a legend: the colours with the numbers at their ends and middle, and
// a scale bar. Where the window is narrower than the legend, white is added at its right.
Canvas draw(const LavaMap& map, const Window& window, int pixels);

// Particles seen from the side: pixels from numbers, without files.
struct Dot {
    double x = 0;  // m, to the right
    double y = 0;  // m, away from who looks
    double z = 0;  // m, upwards
    double value = 0;
    bool coloured = true;  // by the value; walls are not
};

struct SideView {
    std::vector<Dot> dots;
    double spacing = 1;  // m: the side of a dot
};

// The least and the largest value of the dots that are coloured by it; 0 and 1 without any.
struct ValueRange {
    double lowest = 0;
    double highest = 1;
};
ValueRange range_of(const SideView& view);

// Squares of `pixels` by `pixels`, nearer ones over those behind them and all over walls, which are
// grey. Below them a legend: the colours with the numbers at their ends.
Canvas draw(const SideView& view, int pixels);

}  // namespace camber::map
