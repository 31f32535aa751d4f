// Curves over size, drawn with characters that every terminal and every log file can show.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace camber {

struct PlotPoint {
    std::size_t bytes = 0;  // position on the logarithmic horizontal axis
    double value = 0;
};

struct PlotCurve {
    char mark = '*';
    std::string name;
    std::vector<PlotPoint> points;
};

struct PlotFrame {
    std::string unit;  // of the values
    int columns = 71;  // of the drawing; the labels of the vertical axis take 9 more
    int rows = 17;
};

// A drawing with its axes and a legend; the vertical axis is linear and starts at 0. Where marks
// fall together, '*' stands for them. Points that cannot be placed (size 0, a value that is
// negative or not finite) are left out; without any other the result is empty. Every line ends with
// a line feed.
std::string text_plot(const std::vector<PlotCurve>& curves, const PlotFrame& frame);

// 1536 -> "1.5K", 4294967296 -> "4G".
std::string short_size(std::size_t bytes);

}  // namespace camber
