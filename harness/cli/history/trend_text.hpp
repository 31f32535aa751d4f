// Trends over commits as tables, for a terminal and for a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/history/trend.hpp"

namespace camber {

struct TrendChoice {
    std::string cases = "*";  // glob over case names
    bool all = false;         // include series without a judged change
    double threshold = 0.03;  // for change points, as named in the text
};

// For each machine: deterministic quantities that changed, and then times with change points.
std::string trends_text(const std::vector<history::MachineTrend>& trends,
                        const TrendChoice& choice);

// HTML tables of all series of each machine, with a heading of the second level.
std::string trends_html(const std::vector<history::MachineTrend>& trends);

// Values as blocks of eight heights between the smallest and the largest value: "▁▁▁█". A dot
// stands for a commit without the value; only the newest 40 values are shown.
std::string blocks(const std::vector<std::optional<double>>& values);

}  // namespace camber
