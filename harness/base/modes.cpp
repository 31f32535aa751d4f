#include "harness/base/modes.hpp"

#include <algorithm>
#include <vector>

#include "harness/base/statistics.hpp"

namespace camber {

std::optional<TwoModes> two_modes(std::span<const double> samples) {
    constexpr std::size_t least_samples = 8;
    constexpr double least_gap = 0.03;
    if (samples.size() < least_samples) return std::nullopt;
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    const std::size_t group = std::max<std::size_t>(2, sorted.size() / 10);
    std::size_t split = group;
    for (std::size_t k = group; k + group <= sorted.size(); ++k)
        if (sorted[k] - sorted[k - 1] > sorted[split] - sorted[split - 1]) split = k;
    const double gap = sorted[split] - sorted[split - 1];
    if (gap <= 0.5 * (quantile(sorted, 0.95) - quantile(sorted, 0.05)) ||
        gap <= least_gap * median(sorted))
        return std::nullopt;
    const std::span<const double> all(sorted);
    return TwoModes{static_cast<double>(sorted.size() - split) / static_cast<double>(sorted.size()),
                    median(all.subspan(split)) / median(all.first(split))};
}

}  // namespace camber
