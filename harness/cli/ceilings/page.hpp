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

// Page of a device's ceilings.

// Number of measured rows of the table, and number of rows of a complete measurement.
struct CeilingRows {
    std::int64_t measured = 0;
    std::int64_t all = 0;
};

CeilingRows ceiling_rows(const Ceilings& ceilings);

// Text of the page, without figures that were not measured.
std::string ceilings_page(const Ceilings& ceilings, const DeviceInfo& device);

// Curves over size, drawn with ASCII characters for any terminal and log file.
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
    int columns = 71;  // width of the drawing without the 9 columns of vertical axis labels
    int rows = 17;
};

// Returns a drawing with axes and a legend; the vertical axis is linear and starts at 0. '*' marks
// points of several curves that coincide. Points that cannot be drawn (size 0, a negative or
// nonfinite value) are omitted; if no point is left, the result is empty. Every line ends with a
// line feed.
std::string text_plot(const std::vector<PlotCurve>& curves, const PlotFrame& frame);

// Formats a size: 1536 -> "1.5K", 4294967296 -> "4G".
std::string short_size(std::size_t bytes);

}  // namespace camber
