#include "analysis/memory/access_pattern.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/memory/global_rules.hpp"
#include "analysis/memory/shared_rules.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

// Runs of contiguous addresses among the lanes of one warp request.

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

namespace {

constexpr std::int64_t shortest_row = 64;  // bytes; smaller strides occur in structs
constexpr int largest_padding = 32;        // elements

constexpr const char* contiguous_lanes =
    "let consecutive lanes access consecutive elements, for instance with one array per field";

const std::string wide_blocks = "use blocks at least 32 threads wide";

// Addresses after each row has become longer by `padding` elements. Every run of lanes is in a
// separate row, `rows` after the previous one.
WarpRequest padded(const WarpRequest& request, std::int64_t rows, int padding) {
    WarpRequest moved = request;
    std::int64_t next = 0;
    std::int64_t run = -1;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (!request.is_active(lane)) continue;
        if (run < 0 || request.address[lane] != next) ++run;
        next = request.address[lane] + request.size;
        moved.address[lane] += run * rows * padding * request.size;
    }
    return moved;
}

// Smallest padding that removes all bank conflicts.
std::optional<int> padding_of(const WarpRequest& request, RuleSet rules, std::int64_t rows) {
    for (int padding = 1; padding <= largest_padding; ++padding)
        if (count_passes(padded(request, rows, padding), rules).conflicts() == 0) return padding;
    return std::nullopt;
}

std::string shared_remedy(const WarpRequest& request, RuleSet rules, std::int64_t row_bytes) {
    if (count_passes(request, rules).conflicts() == 0) return "";
    const std::vector<LaneRun> runs = runs_of(request);
    const std::int64_t stride = std::abs(stride_of(runs));
    if (stride >= shortest_row) {
        const std::int64_t rows = row_bytes > 0 && stride % row_bytes == 0 ? stride / row_bytes : 1;
        if (const auto padding = padding_of(request, rules, rows)) {
            if (*padding == 1) return "pad the row by one element";
            const std::string pad = "pad the row by " + std::to_string(*padding) + " elements";
            return are_single_lanes(runs) ? pad : wide_blocks + ", or " + pad;
        }
    }
    if (stride > 0 && stride < shortest_row && are_single_lanes(runs)) return contiguous_lanes;
    return "let the lanes of a warp access different banks (word address modulo " +
           std::to_string(bank_count(rules)) + ")";
}

std::string global_remedy(const WarpRequest& request, RuleSet rules, std::int64_t row_bytes) {
    if (count_transactions(request, rules).efficiency() >= 1) return "";
    const std::vector<LaneRun> runs = runs_of(request);
    if (std::popcount(request.active) == 1) return "combine such accesses of several warps in one";
    if (runs.size() == 1)
        return misalignment(runs[0].begin) == 0
                   ? "access whole sectors of 32 bytes"
                   : "align the first lane to 32 bytes; take shifted neighbors from registers or "
                     "shared memory";
    if (is_broadcast(runs)) return "load the value once and share it, or use constant memory";
    const std::int64_t stride = std::abs(stride_of(runs));
    if (are_single_lanes(runs)) {
        if (stride == 0) return "let neighboring lanes access neighboring addresses";
        return stride == row_bytes
                   ? "let consecutive lanes (threadIdx.x) access consecutive columns"
                   : contiguous_lanes;
    }
    if (stride != 0) return wide_blocks + ", so that a warp accesses one row";
    return "let the lanes of a warp access one contiguous, aligned range";
}

}  // namespace

std::string describe_remedy(const WarpRequest& request, RuleSet rules, std::int64_t row_bytes) {
    if (request.active == 0) return "";
    if (request.space == Space::constant)
        return is_broadcast(runs_of(request))
                   ? ""
                   : "let all lanes read the same address, or read from global or shared memory";
    return is_shared(request.space) ? shared_remedy(request, rules, row_bytes)
                                    : global_remedy(request, rules, row_bytes);
}

}  // namespace camber
