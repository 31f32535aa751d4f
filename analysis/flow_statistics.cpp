#include "analysis/flow_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace camber {
namespace {

void require_same_size(std::size_t a, std::size_t b) {
    if (a != b) throw std::invalid_argument("flows over different numbers of cells");
}

double share(std::int64_t part, std::int64_t all, double of_nothing) {
    return all == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

FlowStatistics compare_flows(std::span<const double> expected, std::span<const double> actual) {
    require_same_size(expected.size(), actual.size());
    FlowStatistics s;
    std::int64_t both = 0;
    std::int64_t either = 0;
    std::int64_t near = 0;
    double sum = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double want = expected[i];
        const double have = actual[i];
        const bool valid = std::isfinite(have);
        const bool wanted = want > 0;
        const bool covered = valid && have > 0;
        s.invalid_cells += !valid;
        s.differing_cells += !(have == want);
        s.expected_cells += wanted;
        s.covered_cells += covered;
        both += wanted && covered;
        if (!wanted && !covered) continue;
        ++either;
        if (!valid) continue;
        const double difference = std::abs(have - want);
        near += difference <= 0.1 * want;
        s.largest_difference = std::max(s.largest_difference, difference);
        sum += difference;
    }
    s.jaccard = share(both, either, 1);
    s.share_within_tenth = share(near, either, 1);
    s.mean_difference = either == 0 ? 0 : sum / static_cast<double>(either);
    return s;
}

double relative_difference(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return 1;
    return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

double event_fit(std::span<const std::uint8_t> real, std::span<const std::uint8_t> simulated) {
    require_same_size(real.size(), simulated.size());
    std::int64_t both = 0;
    std::int64_t either = 0;
    for (std::size_t i = 0; i < real.size(); ++i) {
        both += real[i] != 0 && simulated[i] != 0;
        either += real[i] != 0 || simulated[i] != 0;
    }
    return share(both, either, 0);
}

}  // namespace camber
