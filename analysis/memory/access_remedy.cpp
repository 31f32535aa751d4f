#include "analysis/memory/access_remedy.hpp"

#include <bit>
#include <optional>
#include <vector>

#include "analysis/memory/global_rules.hpp"
#include "analysis/memory/lane_runs.hpp"
#include "analysis/memory/shared_rules.hpp"

namespace camber {
namespace {

constexpr std::int64_t shortest_row = 64;  // bytes; smaller strides are those of structs
constexpr int largest_padding = 32;        // elements

constexpr const char* contiguous_lanes =
    "let consecutive lanes access consecutive elements, for instance with one array per field";

const std::string wide_blocks = "use blocks at least 32 threads wide";

// Addresses after each row has become longer by `padding` elements. Every run of lanes is in a row
// of its own, `rows` after the one before.
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
