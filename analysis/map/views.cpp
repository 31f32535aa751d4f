#include "analysis/map/views.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>

#include "analysis/map/canvas.hpp"

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

namespace {

constexpr Rgb outline_colour{30, 110, 255};
constexpr Rgb unknown_ground{214, 224, 232};
constexpr Rgb shadow{52, 52, 56};
constexpr Rgb lit{250, 250, 246};

// Layout of the legend in pixels; `unit` scales it with the picture.
struct Legend {
    explicit Legend(int map_columns) : unit(std::max(1, map_columns / 700)) {}
    int unit;
    int margin = 8 * unit;
    int colours = 160 * unit;
    int height_of_bars = 12 * unit;
    int gap = 24 * unit;
    int longest_bar = 120 * unit;
    int text_row = margin + height_of_bars + 4 * unit;
    int rows = text_row + text_height(unit) + margin;
    int columns = margin + colours + gap + longest_bar + gap + margin;
};

std::size_t index(const LavaMap& map, int row, int column) {
    return static_cast<std::size_t>(row) * map.shape.columns + column;
}

bool is_real(const LavaMap& map, int row, int column) {
    return row >= 0 && row < map.shape.rows && column >= 0 && column < map.shape.columns &&
           map.real[index(map, row, column)] != 0;
}

// Smallest number not below `value` with two significant digits; `value` must be positive.
double rounded_up(double value) {
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::ceil(value / step * (1 - 1e-12)) * step;
}

Rgb colour_of(const LavaMap& map, const Scale& scale, std::size_t i, double light) {
    if (light < 0) return unknown_ground;
    const double value = map.values[i];
    if (std::isnan(value)) return mixed(shadow, lit, light);
    const Rgb colour = glowing((value - scale.lowest) / (scale.highest - scale.lowest));
    // Shade of level ground.
    constexpr double level = 0.70710678;
    return light < level ? mixed(black, colour, 0.6 + 0.4 * light / level)
                         : mixed(colour, white, 0.25 * (light - level) / (1 - level));
}

// Draws the outline along the inner cell sides where the real flow has no neighbor.
void draw_outline(Canvas& canvas, const LavaMap& map, const Window& window, int pixels) {
    if (map.real.empty()) return;
    const int width = std::max(1, pixels / 3);
    for (int r = 0; r < window.rows; ++r)
        for (int c = 0; c < window.columns; ++c) {
            const int row = window.first_row + r;
            const int column = window.first_column + c;
            if (!is_real(map, row, column)) continue;
            const int x = c * pixels;
            const int y = r * pixels;
            if (!is_real(map, row - 1, column)) canvas.fill(x, y, pixels, width, outline_colour);
            if (!is_real(map, row + 1, column))
                canvas.fill(x, y + pixels - width, pixels, width, outline_colour);
            if (!is_real(map, row, column - 1)) canvas.fill(x, y, width, pixels, outline_colour);
            if (!is_real(map, row, column + 1))
                canvas.fill(x + pixels - width, y, width, pixels, outline_colour);
        }
}

void draw_legend(Canvas& canvas, const LavaMap& map, const Scale& scale, const Legend& legend,
                 int top, int pixels) {
    const int unit = legend.unit;
    const int bar_row = top + legend.margin;
    const int bottom = bar_row + legend.height_of_bars;
    for (int x = 0; x < legend.colours; ++x)
        canvas.fill(legend.margin + x, bar_row, 1, legend.height_of_bars,
                    glowing(static_cast<double>(x) / (legend.colours - 1)));
    canvas.frame(legend.margin, bar_row, legend.colours, legend.height_of_bars, black);
    const auto label = [&](const std::string& text, int centre) {
        const int left = centre - text_width(text, unit) / 2;
        canvas.text(std::max(unit, left), top + legend.text_row, text, unit, black);
    };
    label(label_of(scale.lowest), legend.margin);
    label(label_of((scale.lowest + scale.highest) / 2), legend.margin + legend.colours / 2);
    label(label_of(scale.highest) + " " + map.unit, legend.margin + legend.colours);

    const double length = bar_length(legend.longest_bar * map.cell_side / pixels);
    const int bar = std::max(2, static_cast<int>(std::lround(length / map.cell_side * pixels)));
    const int left = legend.margin + legend.colours + legend.gap;
    canvas.fill(left, bottom - 3 * unit, bar, 3 * unit, black);
    for (const int tick : {left, left + bar - unit})
        canvas.fill(tick, bar_row + 2 * unit, unit, bottom - bar_row - 2 * unit, black);
    label(length < 1000 ? label_of(length) + " m" : label_of(length / 1000) + " km",
          left + bar / 2);
}

}  // namespace

Window whole(const LavaMap& map) {
    return {0, 0, map.shape.rows, map.shape.columns};
}

Window around_flow(const LavaMap& map) {
    int first_row = map.shape.rows, end_row = 0, first_column = map.shape.columns, end_column = 0;
    const auto include = [&](int row, int column) {
        first_row = std::min(first_row, row);
        end_row = std::max(end_row, row + 1);
        first_column = std::min(first_column, column);
        end_column = std::max(end_column, column + 1);
    };
    for (int row = 0; row < map.shape.rows; ++row)
        for (int column = 0; column < map.shape.columns; ++column)
            if (!std::isnan(map.values[index(map, row, column)]) ||
                (!map.real.empty() && is_real(map, row, column)))
                include(row, column);
    for (const Place& vent : map.vents) include(vent.row, vent.column);
    if (first_row >= end_row) return whole(map);
    const int around = std::max(5, std::max(end_row - first_row, end_column - first_column) / 10);
    first_row = std::max(0, first_row - around);
    end_row = std::min(map.shape.rows, end_row + around);
    first_column = std::max(0, first_column - around);
    end_column = std::min(map.shape.columns, end_column + around);
    return {first_row, first_column, end_row - first_row, end_column - first_column};
}

Scale scale_of(const LavaMap& map) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : map.values) {
        if (std::isnan(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high) low = high = 0;
    if (map.lowest) {
        low = *map.lowest;
        if (high > 0) high = rounded_up(high);
    }
    return high > low ? Scale{low, high} : Scale{low, low + 1};
}

std::string label_of(double value) {
    char text[32];
    const double size = std::abs(value);
    const bool whole = value == std::floor(value) || size >= 100;
    std::snprintf(text, sizeof text, "%.*f",
                  whole         ? 0
                  : size >= 1   ? 1
                  : size >= 0.1 ? 2
                                : 3,
                  value);
    return text;
}

double bar_length(double longest) {
    const double power = std::pow(10.0, std::floor(std::log10(longest)));
    for (const double factor : {5.0, 2.0})
        if (factor * power <= longest) return factor * power;
    return power;
}

Canvas draw(const LavaMap& map, const Window& window, int pixels) {
    const int height = window.rows * pixels;
    const Legend legend(window.columns * pixels);
    Canvas canvas(std::max(window.columns * pixels, legend.columns), height + legend.rows);
    const std::vector<double> light = shaded_relief(map.altitude, map.shape, map.cell_side);
    const Scale scale = scale_of(map);
    for (int r = 0; r < window.rows; ++r)
        for (int c = 0; c < window.columns; ++c) {
            const std::size_t i = index(map, window.first_row + r, window.first_column + c);
            canvas.fill(c * pixels, r * pixels, pixels, pixels, colour_of(map, scale, i, light[i]));
        }
    draw_outline(canvas, map, window, pixels);
    for (const Place& vent : map.vents) {
        const int row = vent.row - window.first_row;
        const int column = vent.column - window.first_column;
        if (row < 0 || row >= window.rows || column < 0 || column >= window.columns) continue;
        canvas.disc(column * pixels + pixels / 2, row * pixels + pixels / 2, std::max(3, pixels),
                    white, black);
    }
    // A disc at the southern edge must not reach into the legend.
    canvas.fill(0, height, canvas.columns(), legend.rows, white);
    draw_legend(canvas, map, scale, legend, height, pixels);
    return canvas;
}

namespace {

constexpr Rgb wall_grey{205, 205, 205};
constexpr int margin = 8;
constexpr int colours = 160;
constexpr int bar_height = 12;

void draw_legend(Canvas& canvas, const ValueRange& range, int top) {
    for (int x = 0; x < colours; ++x)
        canvas.fill(margin + x, top, 1, bar_height,
                    glowing(static_cast<double>(x) / (colours - 1)));
    canvas.frame(margin, top, colours, bar_height, black);
    const int row = top + bar_height + 4;
    canvas.text(margin, row, label_of(range.lowest), 1, black);
    const std::string highest = label_of(range.highest);
    canvas.text(margin + colours - text_width(highest, 1) / 2, row, highest, 1, black);
}

}  // namespace

ValueRange range_of(const SideView& view) {
    ValueRange range{std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()};
    for (const Dot& dot : view.dots) {
        if (!dot.coloured) continue;
        range.lowest = std::min(range.lowest, dot.value);
        range.highest = std::max(range.highest, dot.value);
    }
    if (range.lowest > range.highest) return {};
    if (range.lowest == range.highest) range.highest += 1;
    return range;
}

Canvas draw(const SideView& view, int pixels) {
    std::vector<Dot> dots = view.dots;
    std::ranges::stable_sort(dots, std::less<>(),
                             [](const Dot& dot) { return std::tuple(dot.coloured, -dot.y); });
    double left = 0, right = 0, low = 0, high = 0;
    for (const Dot& dot : dots) {
        left = std::min(left, dot.x);
        right = std::max(right, dot.x);
        low = std::min(low, dot.z);
        high = std::max(high, dot.z);
    }
    const auto steps = [&](double length) {
        return static_cast<int>(std::lround(length / view.spacing * pixels));
    };
    const int height = steps(high - low) + pixels;
    const int columns = std::max(steps(right - left) + pixels, margin + colours + 100) + 2 * margin;
    Canvas canvas(columns, margin + height + margin + bar_height + 4 + text_height(1) + margin);
    const ValueRange range = range_of(view);
    for (const Dot& dot : dots) {
        const double share = (dot.value - range.lowest) / (range.highest - range.lowest);
        canvas.fill(margin + steps(dot.x - left), margin + steps(high - dot.z), pixels, pixels,
                    dot.coloured ? glowing(share) : wall_grey);
    }
    draw_legend(canvas, range, margin + height + margin);
    return canvas;
}

}  // namespace camber::map
