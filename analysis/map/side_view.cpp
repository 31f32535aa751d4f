#include "analysis/map/side_view.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>

#include "analysis/map/colours.hpp"
#include "analysis/map/lava_map.hpp"

namespace camber::map {

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
