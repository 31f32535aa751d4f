// Page of a device's ceilings: a table, and bandwidth over working-set size as a plot in plain
// characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/machine/queue/devices.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// A device's limits as a page: a table, and bandwidths over the working set as a plot.

// How many rows the table has, and how many where everything was measured.
struct CeilingRows {
    std::int64_t measured = 0;
    std::int64_t all = 0;
};

CeilingRows ceiling_rows(const Ceilings& ceilings);

// Leaves out what was not measured.
std::string ceilings_page(const Ceilings& ceilings, const DeviceInfo& device);

// Curves over size, drawn with characters that every terminal and every log file can show.
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
