// Pictures of one warp's memory instruction, as text and as SVG: which lanes access which sectors
// or banks. Both formats share the layout functions that follow.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "analysis/memory/global_rules.hpp"
#include "analysis/memory/shared_rules.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

// Draws one memory instruction of one warp: which lanes access which sectors, or which banks.

// Picture for a terminal of 100 columns. Global, texture and local memory: a row for each touched
// 128-byte line, with four sectors; each shows how many of its 32 bytes are used and by which
// lanes, or that no lane uses it. Shared memory: a column for each bank, a row for each wavefront.
// An exclamation mark indicates extra sectors and the wavefronts that a bank conflict causes; the
// remedy is named above the picture. `title`: heading, may be empty or have several lines, the
// first in bold. `row_bytes`: distance between vertically adjacent cells; 0 if unknown. The text
// ends with a newline. Throws std::invalid_argument for what check_request() refuses.
std::string picture_text(const WarpRequest& request, RuleSet rules, const std::string& title = {},
                         std::int64_t row_bytes = 0);

// The same picture as an SVG document without external references, legible on light and dark
// backgrounds: words as boxes with the numbers of their lanes, transactions as bars below; for
// shared memory, the words that each wavefront takes from each bank. Extra sectors and the
// wavefronts that a bank conflict causes have a color of their own. Throws as picture_text() does.
std::string picture_svg(const WarpRequest& request, RuleSet rules, const std::string& title = {},
                        std::int64_t row_bytes = 0);

// Compact list of lanes: "0-15", "3", "0,4..28" (every fourth), "0-3,8-11". A list longer than
// `width` characters is cut and ends in "+n", the count of lanes left out. `width`: at least 6.
std::string lane_list(std::uint32_t lanes, int width);

}  // namespace camber

namespace camber::picture {

// Parts shared by the text and the SVG picture of a request. Not for use elsewhere.
inline constexpr int sectors_per_line = line_bytes / sector_bytes;

struct SectorView {
    std::uint32_t lanes = 0;  // lanes that access it
    std::uint32_t bytes = 0;  // bit b: byte b is accessed
    int moves = 0;            // transactions that contain it
    bool extra = false;       // would not be needed if the same bytes were contiguous and aligned
};

struct LineView {
    std::array<SectorView, sectors_per_line> sectors;
    // Lanes that access each 4-byte word of the line.
    std::array<std::uint32_t, line_bytes / word_bytes> words{};
    std::vector<Transaction> transactions;  // in this line, in order of emission
};

struct GlobalView {
    std::map<std::int64_t, LineView> lines;  // by line number, address / 128
    std::vector<Transaction> transactions;
    TransactionCounts counts;

    // True to indicate that lines above this one are left out. A gap as wide as the previous one
    // is not indicated, for instance in columns.
    bool gap_before(std::int64_t line) const;
    // "192 bytes moved, 128 used (67 %); 2 lines, 6 sectors (4 would suffice)", each line and
    // sector counted once.
    std::string totals_of_bytes() const;

    std::int64_t touched_sectors() const;
    std::int64_t min_sectors() const;  // if the same bytes were contiguous and aligned
};

GlobalView view_global(const WarpRequest& request, RuleSet rules);

// "global load, 4 bytes a lane, 32 active lanes".
std::string describe(const WarpRequest& request);

// "1 request, 2 transactions (1 of 64 bytes, 1 of 128 bytes)"
std::string totals_of_transactions(const TransactionCounts& counts);
// "32 wavefronts, 1 without bank conflicts: a 32-way bank conflict"
std::string totals_of_passes(const BankCounts& counts);

// "lanes 0 to 15, word 2 of each": part of the request that a wavefront serves.
std::string describe_part(const BankPass& pass, const WarpRequest& request, RuleSet rules);

// True for each wavefront due to a bank conflict: every one but the first of a part.
std::vector<bool> conflict_passes(const std::vector<BankPass>& passes);

}  // namespace camber::picture
