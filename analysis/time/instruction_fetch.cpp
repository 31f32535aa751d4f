#include "analysis/time/instruction_fetch.hpp"

#include <algorithm>
#include <iterator>

namespace camber {

namespace {

// Tolerance relative to the cycles of the shortest code.
constexpr double served_slowdown = 1.25;

}  // namespace

InstructionFetch::InstructionFetch(const CeilingCurve& measured, int sm_count, double clock_hz) {
    for (const CeilingCurvePoint& point : measured)
        points_.push_back({static_cast<double>(point.working_set_bytes),
                           bytes_of_instruction * sm_count * clock_hz / point.bytes_per_second});
}

double InstructionFetch::cycles(double bytes) const {
    if (points_.empty()) return 0;
    const auto longer = std::ranges::lower_bound(points_, bytes, {}, &Point::bytes);
    if (longer == points_.begin()) return points_.front().cycles;
    if (longer == points_.end()) return points_.back().cycles;
    const Point& shorter = *std::prev(longer);
    return shorter.cycles + (longer->cycles - shorter.cycles) * (bytes - shorter.bytes) /
                                (longer->bytes - shorter.bytes);
}

double InstructionFetch::cache_bytes() const {
    double most = 0;
    for (const Point& point : points_) {
        if (point.cycles > served_slowdown * points_.front().cycles) break;
        most = point.bytes;
    }
    return most;
}

}  // namespace camber
