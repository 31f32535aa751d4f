#include "harness/cli/common/text_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace camber {

namespace {

bool can_be_placed(const PlotPoint& point) {
    return point.bytes > 0 && std::isfinite(point.value) && point.value >= 0;
}

// The smallest round number that is not under `value`, of those whose quarters have few digits.
double axis_end(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0})
        if (value <= factor * power) return factor * power;
    return 10 * power;
}

struct Range {
    double lowest = std::numeric_limits<double>::infinity();  // binary logarithms of sizes
    double highest = -lowest;
    double value = 0;  // the highest
    bool empty() const { return highest < lowest; }
};

Range range_of(const std::vector<PlotCurve>& curves) {
    Range range;
    for (const PlotCurve& curve : curves)
        for (const PlotPoint& point : curve.points) {
            if (!can_be_placed(point)) continue;
            const double position = std::log2(static_cast<double>(point.bytes));
            range.lowest = std::min(range.lowest, position);
            range.highest = std::max(range.highest, position);
            range.value = std::max(range.value, point.value);
        }
    return range;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

class Drawing {
  public:
    Drawing(const PlotFrame& frame, const Range& range)
        : frame_(frame),
          columns_(std::max(frame.columns, 1)),
          rows_(std::max(frame.rows, 2)),
          range_(range),
          top_(axis_end(range.value)),
          canvas_(static_cast<std::size_t>(rows_), std::string(width(), ' ')),
          axis_(width(), '-'),
          labels_(width(), ' ') {}

    void add(char mark, const PlotPoint& point) {
        const auto column = column_of(point.bytes);
        const auto row = std::lround(point.value / top_ * (rows_ - 1));
        char& place = canvas_[static_cast<std::size_t>(rows_ - 1 - row)][column];
        place = place == ' ' || place == mark ? mark : '*';
    }

    // Left out where it would touch the one before.
    void add_label(std::size_t bytes) {
        const std::string text = short_size(bytes);
        const std::size_t column = column_of(bytes);
        if (column < next_label_) return;
        axis_[column] = '+';
        labels_.resize(std::max(labels_.size(), column + text.size()), ' ');
        labels_.replace(column, text.size(), text);
        next_label_ = column + text.size() + 1;
    }

    std::string text() const {
        std::string text = frame_.unit + "\n";
        for (int row = 0; row < rows_; ++row) {
            const int from_bottom = rows_ - 1 - row;
            const std::string label = has_label(from_bottom)
                                          ? fmt::format("{:.4g}", top_ * from_bottom / (rows_ - 1))
                                          : std::string();
            text += without_trailing_blanks(
                        fmt::format("{:>7} |{}", label, canvas_[static_cast<std::size_t>(row)])) +
                    "\n";
        }
        text += fmt::format("{:>7} +{}\n", "", axis_);
        return text + without_trailing_blanks(fmt::format("{:>7}  {}", "", labels_)) + "\n";
    }

  private:
    std::size_t width() const { return static_cast<std::size_t>(columns_); }

    std::size_t column_of(std::size_t bytes) const {
        const double span = range_.highest - range_.lowest;
        if (span <= 0) return 0;
        const double share = (std::log2(static_cast<double>(bytes)) - range_.lowest) / span;
        return static_cast<std::size_t>(std::lround(share * (columns_ - 1)));
    }

    // Quarters where the rows divide so, else the ends.
    bool has_label(int from_bottom) const {
        const int last = rows_ - 1;
        return last % 4 == 0 ? from_bottom % (last / 4) == 0
                             : from_bottom == 0 || from_bottom == last;
    }

    const PlotFrame& frame_;
    int columns_;
    int rows_;
    Range range_;
    double top_;
    std::vector<std::string> canvas_;
    std::string axis_;
    std::string labels_;
    std::size_t next_label_ = 0;
};

}  // namespace

std::string short_size(std::size_t bytes) {
    constexpr std::string_view units = "BKMGTP";
    auto size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
    return fmt::format("{:.4g}{}", size, units[unit]);
}

std::string text_plot(const std::vector<PlotCurve>& curves, const PlotFrame& frame) {
    const Range range = range_of(curves);
    if (range.empty()) return "";
    Drawing drawing(frame, range);
    std::vector<std::size_t> sizes;
    std::string legend;
    for (const PlotCurve& curve : curves) {
        for (const PlotPoint& point : curve.points) {
            if (!can_be_placed(point)) continue;
            drawing.add(curve.mark, point);
            sizes.push_back(point.bytes);
        }
        legend += fmt::format("{}{} {}", legend.empty() ? "" : "   ", curve.mark, curve.name);
    }
    std::ranges::sort(sizes);
    for (const std::size_t bytes : sizes) drawing.add_label(bytes);
    if (curves.size() > 1) legend += "   * several";
    return drawing.text() + fmt::format("{:>7}  {}\n", "", legend);
}

}  // namespace camber
