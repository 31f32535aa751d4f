// Particles seen from the side: pixels from numbers, without files.
#pragma once

#include <vector>

#include "analysis/map/canvas.hpp"

namespace camber::map {

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
