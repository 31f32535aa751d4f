// Runs of contiguous addresses among the lanes of one warp request.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/kernel_launch.hpp"

namespace camber {

// Consecutive active lanes whose addresses follow one another without a gap.
struct LaneRun {
    std::int64_t begin = 0;  // first byte
    int lanes = 0;
};

// Splits the active lanes, in lane order, wherever an address does not continue the previous one.
std::vector<LaneRun> runs_of(const WarpRequest& request);

// Distance in bytes between the beginnings of consecutive runs; 0 if it varies or if there is only
// one run.
std::int64_t stride_of(const std::vector<LaneRun>& runs);

// True if every run has exactly one lane.
bool are_single_lanes(const std::vector<LaneRun>& runs);

// True if all active lanes access the same address.
bool is_broadcast(const std::vector<LaneRun>& runs);

// Bytes between `address` and the beginning of its 32-byte sector.
std::int64_t misalignment(std::int64_t address);

}  // namespace camber
