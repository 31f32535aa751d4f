#include "analysis/time/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>

namespace camber {

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
    for (const TrafficMix& other : traffic::by_written_share) {
        if ((ceilings.*other.curve).empty()) continue;
        if (other.written_share < mix.written_share) less = &other;
        if (other.written_share > mix.written_share && more == nullptr) more = &other;
    }
    if (less == nullptr && more == nullptr) return std::nullopt;
    if (less == nullptr || more == nullptr) {
        const TrafficMix& nearest = less == nullptr ? *more : *less;
        return StandInCurve{ceilings.*nearest.curve, fmt::format("as that of {}", nearest.kernels)};
    }
    const CeilingCurve& left = ceilings.*less->curve;
    const CeilingCurve& right = ceilings.*more->curve;
    std::set<std::int64_t> sizes;
    for (const CeilingCurve* curve : {&left, &right})
        for (const auto& point : *curve) sizes.insert(point.working_set_bytes);
    StandInCurve found{{}, fmt::format("between those of {} and {}", less->kernels, more->kernels)};
    for (const std::int64_t size : sizes) {
        const auto working_set = static_cast<double>(size);
        found.curve.push_back(
            {size, between(mix.written_share, less->written_share, bandwidth_at(left, working_set),
                           more->written_share, bandwidth_at(right, working_set))});
    }
    return found;
}

double largest_of(double values) {
    // Values for 1, 2, 4, ... 512 samples; in between, growth per doubling is nearly constant.
    constexpr std::array of_powers{0.0,    0.5642, 1.0294, 1.4236, 1.7660,
                                   2.0697, 2.3437, 2.5946, 2.8269, 3.0439};
    const double power = std::log2(std::max(1.0, values));
    const auto below = std::min(static_cast<std::size_t>(power), of_powers.size() - 2);
    return of_powers[below] +
           (of_powers[below + 1] - of_powers[below]) * (power - static_cast<double>(below));
}

namespace {

constexpr double pieces_of_few = 8;
constexpr double pieces_of_many = 32;
constexpr double most_use = 0.98;
constexpr double block_bytes = 256 * 8;  // read by a block of the ceiling kernels

struct Measured {
    double turn = 0;  // seconds that a block occupies its slot
    double growth = 0;
};

double slope(const Measured& idle, const Measured& busy) {
    return busy.growth > idle.growth
               ? std::max(0.0, (busy.turn - idle.turn) / (busy.growth - idle.growth))
               : 0;
}

}  // namespace

double LoadedMemory::growth(double use) {
    const double u = std::clamp(use, 0.0, most_use);
    return u / std::sqrt(1 - u);
}

double LoadedMemory::delay(double written_share, double pieces) const {
    const double of_8 = reads + (copies - reads) * std::clamp(2 * written_share, 0.0, 1.0);
    return of_8 * std::max(0.0, 1 + further * (largest_of(pieces) - largest_of(pieces_of_few)));
}

std::optional<LoadedMemory> loaded_memory(const Ceilings& c, int sm_count, double spread) {
    if (!c.reads_by_1_block_bytes_per_second || !c.reads_by_4_blocks_bytes_per_second ||
        !c.copies_by_1_block_bytes_per_second || !c.copies_by_4_blocks_bytes_per_second ||
        !c.copies_in_32_pieces_bytes_per_second || c.read.empty() || c.copy.empty())
        return std::nullopt;
    const auto measured = [&](double rate, double places, double bytes, const CeilingCurve& all) {
        return Measured{places * sm_count * bytes / rate,
                        LoadedMemory::growth(rate / all.back().bytes_per_second)};
    };
    const auto copies = [&](double rate, double places) {
        return measured(rate, places, 2 * block_bytes, c.copy);
    };
    const double of_reads =
        slope(measured(*c.reads_by_1_block_bytes_per_second, 1, block_bytes, c.read),
              measured(*c.reads_by_4_blocks_bytes_per_second, 4, block_bytes, c.read));
    const Measured alone = copies(*c.copies_by_1_block_bytes_per_second, 1);
    const double of_copies = slope(alone, copies(*c.copies_by_4_blocks_bytes_per_second, 4));
    // In idle memory.
    const double out = largest_of(pieces_of_many) - largest_of(pieces_of_few);
    const Measured in_many{alone.turn - of_copies * alone.growth + spread * out, 0};
    const double of_many = slope(in_many, copies(*c.copies_in_32_pieces_bytes_per_second, 4));
    const double further = of_copies > 0 ? std::max(0.0, (of_many / of_copies - 1) / out) : 0;
    return LoadedMemory{of_reads, of_copies, further};
}

}  // namespace camber
