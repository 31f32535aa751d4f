#include "analysis/memory/access_pattern.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "analysis/memory/global_rules.hpp"

namespace camber {
namespace {

struct LaneRun {
    std::int64_t begin = 0;
    int lanes = 0;
};

// Active lanes in order, split where an address does not follow the one before.
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

// The distance between the beginnings of all runs, 0 if it varies.
std::int64_t stride_of(const std::vector<LaneRun>& runs) {
    const std::int64_t stride = runs.size() > 1 ? runs[1].begin - runs[0].begin : 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (runs[i].begin - runs[i - 1].begin != stride) return 0;
    return stride;
}

std::string bytes(std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string distance(std::int64_t stride, std::int64_t row_bytes) {
    if (row_bytes > 0 && stride == row_bytes) return "a row apart";
    return bytes(stride) + " apart";
}

std::int64_t past_sector(std::int64_t address) {
    return (address % sector_bytes + sector_bytes) % sector_bytes;
}

std::string of_one_run(const WarpRequest& request, const LaneRun& run) {
    const std::int64_t past = is_shared(request.space) ? 0 : past_sector(run.begin);
    if (past == 0) return "are consecutive";
    return "are consecutive, but start " + bytes(past) + " past the beginning of a sector";
}

std::string of_runs(const WarpRequest& request, const std::vector<LaneRun>& runs,
                    std::int64_t row_bytes) {
    const std::int64_t stride = stride_of(runs);
    const bool single = std::ranges::all_of(runs, [](const LaneRun& r) { return r.lanes == 1; });
    const bool broadcast =
        std::ranges::all_of(runs, [&](const LaneRun& r) { return r.begin == runs[0].begin; });
    if (single && broadcast) return "all want the same " + bytes(request.size);
    if (single && stride != 0) return "are " + distance(std::abs(stride), row_bytes);
    if (single) return "are scattered";
    std::string text = "stand in " + std::to_string(runs.size()) + " runs";
    if (stride != 0) text += " " + distance(std::abs(stride), row_bytes);
    const bool off = !is_shared(request.space) && std::ranges::any_of(runs, [](const LaneRun& r) {
        return past_sector(r.begin) != 0;
    });
    if (off) text += ", which do not all start where a sector begins";
    return text;
}

}  // namespace

std::string describe_pattern(const WarpRequest& request, std::int64_t row_bytes) {
    const int active = std::popcount(request.active);
    if (active == 0) return "";
    const std::string all = std::to_string(warp_lanes);
    if (active == 1) return "1 of the warp's " + all + " lanes is active";
    const std::string who = active == warp_lanes ? "the warp's lanes "
                                                 : std::to_string(active) + " of the warp's " +
                                                       all + " lanes are active and ";
    const std::vector<LaneRun> runs = runs_of(request);
    return who +
           (runs.size() == 1 ? of_one_run(request, runs[0]) : of_runs(request, runs, row_bytes));
}

}  // namespace camber
