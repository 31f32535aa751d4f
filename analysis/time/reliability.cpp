#include "analysis/time/reliability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "analysis/time/calibration.hpp"

namespace camber {
namespace {

constexpr double decisive_share = 0.95;
constexpr std::size_t most_named = 5;

const calibration::Residuals& residuals_of(const PredictedTime& time) {
    if (time.uncertain()) return calibration::uncertain;
    const TimeResource bound = time.binding().resource;
    return bound <= TimeResource::l2      ? calibration::memory
           : bound <= TimeResource::pipes ? calibration::throughput
                                          : calibration::latency;
}

}  // namespace

void set_interval(PredictedTime& time) {
    const calibration::Residuals& residuals = residuals_of(time);
    time.low = time.seconds * std::min(1.0, residuals.low);
    time.high = time.seconds * std::max(1.0, residuals.high);
}

double share_in_order(double ratio) {
    const auto& shares = calibration::order_shares;
    const auto* const beyond =
        std::ranges::upper_bound(shares, ratio, {}, &calibration::OrderShare::ratio);
    return beyond == shares.begin() ? shares.front().share : (beyond - 1)->share;
}

double decisive_ratio() {
    const auto& shares = calibration::order_shares;
    double ratio = shares.back().ratio;
    for (auto one = shares.rbegin(); one != shares.rend() && one->share >= decisive_share; ++one)
        ratio = one->ratio;
    return ratio;
}

std::vector<std::size_t> fastest_candidates(const std::vector<double>& seconds) {
    std::vector<std::size_t> order(seconds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return seconds[i]; });
    const double limit = seconds[order.front()] * decisive_ratio();
    const auto beyond =
        std::ranges::find_if(order, [&](std::size_t i) { return seconds[i] >= limit; });
    order.erase(std::max(beyond, order.begin() + 1), order.end());
    return order;
}

std::string pick_sentence(const std::vector<std::string>& names,
                          const std::vector<double>& seconds) {
    const std::vector<std::size_t> candidates = fastest_candidates(seconds);
    const std::string& first = names[candidates.front()];
    if (candidates.size() > 1) {
        std::vector<std::string> named;
        for (std::size_t i = 0; i < std::min(most_named, candidates.size()); ++i)
            named.push_back(names[candidates[i]]);
        const std::size_t further = candidates.size() - named.size();
        return fmt::format(
            "The fastest is one of these {}, which are predicted too close together: {}{}.",
            candidates.size(), fmt::join(named, ", "),
            further > 0 ? fmt::format(" and {} more", further) : "");
    }
    if (seconds.size() == 1) return fmt::format("The fastest is {}.", first);
    double next = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i)
        if (i != candidates.front() && (next == 0 || seconds[i] < next)) next = seconds[i];
    return fmt::format(
        "The fastest is {}: of pairs predicted this far apart, {:.0f} % were in this order.", first,
        100 * share_in_order(next / seconds[candidates.front()]));
}

}  // namespace camber
