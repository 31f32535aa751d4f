// Published times on 1 to 6 GPUs (Rustico 2012, Tables 6.1, 8.1, 8.2 and 8.3), seconds.
#pragma once

#include <span>
#include <vector>

#include "analysis/scaling/series.hpp"

namespace camber {

using Times = std::vector<double>;

inline const Times table_6_1{14377, 7737, 5813, 4993, 4562, 4500};
inline const Times table_8_1{3641, 1885, 1331, 1072, 914, 823};
inline const Times table_8_2_off{5932, 3127, 2128, 1693, 1500, 1304};
inline const Times table_8_2_on{5932, 3103, 2179, 1676, 1406, 1200};  // T1 from the row "off"
inline const Times table_8_3_off{8301, 5737, 4479, 3532, 2841, 2477};
inline const Times table_8_3_on{8301, 4304, 3037, 2391, 1982, 1752};  // T1 from the row "off"

// 1, 2, 3... GPUs, with the repeatability of 0.1 % that section 8 of the source states.
inline scaling::Series gpu_series(const Times& seconds) {
    scaling::Series series;
    series.workload = "flow";
    series.variant = "flow/rows";
    series.backend = "cuda";
    series.machine = "6 GPUs";
    series.unit = scaling::Unit::gpu;
    series.columns = 1000;
    series.rows = 1000;
    series.assumed_relative_error = 0.001;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        scaling::Point point;
        point.units = static_cast<int>(i) + 1;
        point.median_ns = seconds[i] * 1e9;
        series.points.push_back(point);
    }
    return series;
}

}  // namespace camber
