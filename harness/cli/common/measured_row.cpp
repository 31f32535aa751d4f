#include "harness/cli/common/measured_row.hpp"

#include <fmt/format.h>

namespace camber {

std::string row_of(const results::CaseRecord& record) {
    if (record.status != results::Status::ok || !record.derived || !record.samples) return "";
    const auto& visits = record.samples->visits;
    if (visits.empty() || visits.front().round > 0) return "";
    const double bandwidth = record.derived->application_bandwidth_bytes_per_second;
    return fmt::format("  {:<50} {:>12.3f} us{}", record.identity.variant,
                       record.real_time_ns * 1e-3,
                       bandwidth > 0 ? fmt::format(" {:>9.1f} GB/s", bandwidth * 1e-9) : "");
}

std::string line_of(const results::WallTime& wall) {
    constexpr double least_share = 0.01;
    std::string parts;
    double other = wall.other;
    for (const results::WallTimePart& part : results::wall_time_parts) {
        const double seconds = wall.*part.seconds;
        if (part.seconds == &results::WallTime::other) continue;
        if (seconds < least_share * wall.total)
            other += seconds;
        else
            parts += fmt::format("{} {:.2f}, ", part.name, seconds);
    }
    return fmt::format("time: {:.1f} s ({}other {:.2f})", wall.total, parts, other);
}

}  // namespace camber
