// Parts shared by the text and the SVG picture of a request. Not for use elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/memory/global_rules.hpp"
#include "analysis/memory/shared_rules.hpp"

namespace camber::picture {

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
