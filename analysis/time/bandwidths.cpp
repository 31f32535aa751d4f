#include "analysis/time/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>

namespace camber {
namespace {

constexpr std::array<TrafficMix, 4> by_written_share{traffic::reads, traffic::triads,
                                                     traffic::copies, traffic::writes};

CeilingCurve interpolated(const Ceilings& ceilings, const TrafficMix& less, const TrafficMix& more,
                          double written_share) {
    const CeilingCurve& left = ceilings.*less.curve;
    const CeilingCurve& right = ceilings.*more.curve;
    std::set<std::int64_t> sizes;
    for (const CeilingCurve* curve : {&left, &right})
        for (const auto& point : *curve) sizes.insert(point.working_set_bytes);
    CeilingCurve curve;
    for (const std::int64_t size : sizes) {
        const auto working_set = static_cast<double>(size);
        curve.push_back(
            {size, between(written_share, less.written_share, bandwidth_at(left, working_set),
                           more.written_share, bandwidth_at(right, working_set))});
    }
    return curve;
}

}  // namespace

double between(double x, double x0, double y0, double x1, double y1) {
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

double bandwidth_at(const CeilingCurve& curve, double working_set) {
    if (working_set <= static_cast<double>(curve.front().working_set_bytes))
        return curve.front().bytes_per_second;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const auto left = static_cast<double>(curve[i - 1].working_set_bytes);
        const auto right = static_cast<double>(curve[i].working_set_bytes);
        if (working_set > right) continue;
        const double share = std::log(working_set / left) / std::log(right / left);
        return curve[i - 1].bytes_per_second *
               std::pow(curve[i].bytes_per_second / curve[i - 1].bytes_per_second, share);
    }
    return curve.back().bytes_per_second;
}

std::optional<StandInCurve> stand_in_curve(const Ceilings& ceilings, const TrafficMix& mix) {
    const TrafficMix* less = nullptr;
    const TrafficMix* more = nullptr;
    for (const TrafficMix& other : by_written_share) {
        if ((ceilings.*other.curve).empty()) continue;
        if (other.written_share < mix.written_share) less = &other;
        if (other.written_share > mix.written_share && more == nullptr) more = &other;
    }
    if (less != nullptr && more != nullptr)
        return StandInCurve{
            interpolated(ceilings, *less, *more, mix.written_share),
            fmt::format("between those of {} and {}", less->kernels, more->kernels)};
    const TrafficMix* const nearest = less != nullptr ? less : more;
    if (nearest == nullptr) return std::nullopt;
    return StandInCurve{ceilings.*nearest->curve, fmt::format("as that of {}", nearest->kernels)};
}

}  // namespace camber
