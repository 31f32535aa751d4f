#include "analysis/memory/access_pattern.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "analysis/memory/lane_runs.hpp"

namespace camber {
namespace {

std::string bytes(std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string distance(std::int64_t stride, std::int64_t row_bytes) {
    return row_bytes > 0 && stride == row_bytes ? "one row" : bytes(stride);
}

bool is_misaligned(const WarpRequest& request, const LaneRun& run) {
    return !is_shared(request.space) && misalignment(run.begin) != 0;
}

std::string describe_run(const WarpRequest& request, const LaneRun& run) {
    if (!is_misaligned(request, run)) return "contiguous";
    return "contiguous, but misaligned by " + bytes(misalignment(run.begin));
}

std::string describe_runs(const WarpRequest& request, const std::vector<LaneRun>& runs,
                          std::int64_t row_bytes) {
    const std::int64_t stride = stride_of(runs);
    if (are_single_lanes(runs)) {
        if (is_broadcast(runs)) return "all lanes access the same " + bytes(request.size);
        if (stride != 0) return "stride of " + distance(std::abs(stride), row_bytes);
        return "scattered";
    }
    std::string text = std::to_string(runs.size()) + " contiguous pieces";
    if (stride != 0) text += ", " + distance(std::abs(stride), row_bytes) + " apart";
    const bool misaligned =
        std::ranges::any_of(runs, [&](const LaneRun& run) { return is_misaligned(request, run); });
    if (misaligned) text += ", not all aligned to a sector";
    return text;
}

}  // namespace

std::string describe_pattern(const WarpRequest& request, std::int64_t row_bytes) {
    const int active = std::popcount(request.active);
    const std::string of_all = " of " + std::to_string(warp_lanes) + " lanes ";
    if (active == 0) return "";
    if (active == 1) return "only 1" + of_all + "is active";
    const std::vector<LaneRun> runs = runs_of(request);
    const std::string pattern =
        runs.size() == 1 ? describe_run(request, runs[0]) : describe_runs(request, runs, row_bytes);
    if (active == warp_lanes) return pattern;
    return "only " + std::to_string(active) + of_all + "are active; " + pattern;
}

}  // namespace camber
