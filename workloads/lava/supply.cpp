#include "workloads/lava/supply.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace camber::lava {

std::vector<RateCurve> curves_of(std::span<const double> table, int slots, double slot_length,
                                 bool linear) {
    std::vector<RateCurve> curves;
    const auto length = static_cast<std::size_t>(slots);
    for (std::size_t first = 0; length > 0 && first < table.size(); first += length)
        curves.push_back({table.subspan(first, length), slot_length, linear});
    return curves;
}

Supply supply(const RateCurve& curve, double time) {
    Supply supply;
    const std::size_t slots = curve.rates.size();
    double before = slots > 0 ? curve.rates[0] : 0;  // the rate just before the slot
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const double start = static_cast<double>(slot) * curve.slot_length;
        if (!(start < time)) return supply;
        const double duration = std::min(time - start, curve.slot_length);
        const double first = curve.rates[slot];
        supply.variation += std::abs(first - before);
        before = first;
        if (!curve.linear) {
            supply.volume += first * duration;
            continue;
        }
        // A linear curve ends where its last slot would begin.
        if (slot + 1 == slots) break;
        before = first + (curve.rates[slot + 1] - first) * (duration / curve.slot_length);
        supply.volume += (first + before) / 2 * duration;
        supply.variation += std::abs(before - first);
    }
    const double last = static_cast<double>(slots - (curve.linear ? 1 : 0)) * curve.slot_length;
    if (slots > 0 && last < time) supply.variation += before;
    return supply;
}

std::vector<std::uint8_t> covered(std::span<const double> thickness) {
    std::vector<std::uint8_t> cells(thickness.size());
    std::ranges::transform(thickness, cells.begin(), [](double h) { return h > 0; });
    return cells;
}

void add_supply(Flow& flow, std::span<const std::uint8_t> vents,
                const std::vector<RateCurve>& curves, double longest_step, double area) {
    for (const std::uint8_t vent : vents) {
        if (vent == 0 || vent > curves.size()) continue;  // a vent without rates gives nothing
        const Supply given = supply(curves[vent - 1u], flow.time.value());
        flow.supplied += given.volume / area;
        flow.supplied_error += given.variation * longest_step / area;
    }
}

}  // namespace camber::lava
