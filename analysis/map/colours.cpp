#include "analysis/map/colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace camber::map {
namespace {

// At equal distances.
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
