#include "harness/measure/scaling_points.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace camber {

std::vector<int> usual_sm_counts(int smallest, int step, int all) {
    std::set<int> counts;
    int jump = step;
    for (int count = smallest; count < all; count += jump) {
        counts.insert(count);
        if (count >= 4 * smallest) jump = 2 * step;
    }
    counts.insert(all);
    return {counts.begin(), counts.end()};
}

std::vector<int> usual_thread_counts(int cores) {
    std::set<int> counts;
    for (int count = 1; count < cores; count = std::max(count + 1, count + count / 2))
        counts.insert(count);
    counts.insert(cores);
    return {counts.begin(), counts.end()};
}

int weak_rows(int rows, int units, int unit_size) {
    return static_cast<int>(std::lround(static_cast<double>(rows) * units / unit_size));
}

}  // namespace camber
