#include "harness/run/scaling_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>

#include "harness/base/error.hpp"

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

std::vector<int> parse_unit_counts(std::string_view text, int most) {
    std::set<int> counts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        int count = 0;
        const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, count);
        if (error != std::errc() || stop != text.data() + end || count < 1 || count > most)
            throw Error(ExitCode::usage,
                        fmt::format("--units {} is no list of numbers from 1 to {}: write for "
                                    "example --units 1,2,4",
                                    text, most));
        counts.insert(count);
        start = end + 1;
    }
    return {counts.begin(), counts.end()};
}

int weak_rows(int rows, int units, int unit_size) {
    return static_cast<int>(std::lround(static_cast<double>(rows) * units / unit_size));
}

}  // namespace camber
