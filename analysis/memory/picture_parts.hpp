// What the text and the SVG picture of a request have in common. Not for use elsewhere.
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
    std::uint32_t lanes = 0;  // that touch it
    std::uint32_t bytes = 0;  // bit b: byte b is touched
    int moves = 0;            // transactions that bring it
};

struct LineView {
    std::array<SectorView, sectors_per_line> sectors;
    // Per 4-byte word of the line: the lanes that touch it.
    std::array<std::uint32_t, line_bytes / word_bytes> words{};
    std::vector<Transaction> transactions;  // in this line, in order of emission
};

struct GlobalView {
    std::map<std::int64_t, LineView> lines;  // by line number, address / 128
    std::vector<Transaction> transactions;
    TransactionCounts counts;

    // Whether to say that lines are left out above this one: not where the gap is as wide as the
    // one before, as in columns.
    bool gap_before(std::int64_t line) const;
    // "192 bytes moved, 128 useful (67 %); touches 2 lines, 4 sectors", each line and sector once.
    std::string totals_of_bytes() const;
};

GlobalView view_global(const WarpRequest& request, RuleSet rules);

// "global load, 4 bytes a lane, 32 active lanes".
std::string describe(const WarpRequest& request);

// "1 request, 2 transactions (1 of 64 bytes, 1 of 128 bytes)"
std::string totals_of_transactions(const TransactionCounts& counts);
// "2 passes; the least at this width: 1; bank conflicts: 1"
std::string totals_of_passes(const BankCounts& counts);

// "lanes 0 to 15, word 2 of each": whom a pass belongs to.
std::string describe_part(const BankPass& pass, const WarpRequest& request, RuleSet rules);

}  // namespace camber::picture
