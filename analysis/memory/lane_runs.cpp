#include "analysis/memory/lane_runs.hpp"

#include <algorithm>

#include "analysis/memory/global_rules.hpp"

namespace camber {

std::vector<LaneRun> runs_of(const WarpRequest& request) {
    std::vector<LaneRun> runs;
    std::int64_t next = 0;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (!request.is_active(lane)) continue;
        const std::int64_t address = request.address[lane];
        if (runs.empty() || address != next) runs.push_back({address, 0});
        ++runs.back().lanes;
        next = address + request.size;
    }
    return runs;
}

std::int64_t stride_of(const std::vector<LaneRun>& runs) {
    const std::int64_t stride = runs.size() > 1 ? runs[1].begin - runs[0].begin : 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (runs[i].begin - runs[i - 1].begin != stride) return 0;
    return stride;
}

bool are_single_lanes(const std::vector<LaneRun>& runs) {
    return std::ranges::all_of(runs, [](const LaneRun& run) { return run.lanes == 1; });
}

bool is_broadcast(const std::vector<LaneRun>& runs) {
    return std::ranges::all_of(
        runs, [&](const LaneRun& run) { return run.lanes == 1 && run.begin == runs[0].begin; });
}

std::int64_t misalignment(std::int64_t address) {
    return (address % sector_bytes + sector_bytes) % sector_bytes;
}

}  // namespace camber
