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

// Size of a raster; cells are stored row by row, the northernmost row first.
struct Shape {
    int columns = 0;
    int rows = 0;
};

// Direction of the sun in degrees: clockwise from north, and above the horizon.
struct Sun {
    double azimuth = 315;
    double elevation = 45;
};

// Rise of the ground to the east and to the north, in m per m: Horn's weighted differences of the
// eight neighbors (Proceedings of the IEEE 69, 1981). Neighbors outside the raster or without an
// altitude (below 0) are replaced by the cell itself.
struct Gradient {
    double east = 0;
    double north = 0;
};
Gradient gradient(std::span<const double> altitude, Shape shape, double cell_side, int row,
                  int column);

// Brightness of a slope, 0 (dark) to 1 (facing the sun): the cosine of the angle between its normal
// and the sun's direction.
double shade(const Gradient& gradient, const Sun& sun = {});

// Shade of every cell; -1 if its altitude is unknown.
std::vector<double> shaded_relief(std::span<const double> altitude, Shape shape, double cell_side,
                                  const Sun& sun = {});

struct Place {
    int row = 0;
    int column = 0;
};

// Data of a map of lava on shaded ground. All rasters have shape.columns * shape.rows cells, row by
// row, the northernmost row first.
struct LavaMap {
    Shape shape;
    double cell_side = 1;            // m
    std::vector<double> altitude;    // m; below 0 if unknown
    std::vector<double> values;      // values that color the lava; NaN without lava
    std::vector<std::uint8_t> real;  // nonzero where the real flow passed; may be empty
    std::vector<Place> vents;
    std::string unit;              // unit of the values: "m" or "K"
    std::optional<double> lowest;  // value of the darkest color; absent: the lowest value
};

struct Window {
    int first_row = 0, first_column = 0;
    int rows = 0, columns = 0;
};

// The whole map.
Window whole(const LavaMap& map);
// Bounding window of lava, vents and the real flow, with a margin of a tenth of its longer side but
// at least 5 cells, clipped to the map; the whole map if there are none.
Window around_flow(const LavaMap& map);

// Values at the ends of the color scale.
struct Scale {
    double lowest = 0;
    double highest = 1;
};
// Range from the lowest to the highest value; the highest is rounded up to two digits if `lowest`
// is given. Widened around the value if there is only one.
Scale scale_of(const LavaMap& map);

// Label of the legend: a whole number, or up to three decimals for two significant digits.
std::string label_of(double value);

// Length of a scale bar: 1, 2 or 5 times a power of ten m, at most `longest`, which must be
// positive.
double bar_length(double longest);

// Draws the window with `pixels` by `pixels` per cell: relief, lava (its brightness follows the
// relief, so that the terrain stays visible), the outline of the real flow in blue, and vents as
// discs. A legend below contains the color scale with labels and a scale bar. If the window is
// narrower than the legend, white is added at its right.
Canvas draw(const LavaMap& map, const Window& window, int pixels);

// One particle of a side view.
struct Dot {
    double x = 0;  // m, to the right
    double y = 0;  // m, away from the viewer
    double z = 0;  // m, upwards
    double value = 0;
    bool coloured = true;  // by the value; false for walls
};

struct SideView {
    std::vector<Dot> dots;
    double spacing = 1;  // m: side length of a dot
};

// Smallest and largest value of the colored dots; 0 and 1 if there are none.
struct ValueRange {
    double lowest = 0;
    double highest = 1;
};
ValueRange range_of(const SideView& view);

// Draws squares of `pixels` by `pixels`, nearer ones in front of farther ones and all in front of
// walls, which are gray. A legend below contains the color scale with labels at its ends.
Canvas draw(const SideView& view, int pixels);

}  // namespace camber::map
