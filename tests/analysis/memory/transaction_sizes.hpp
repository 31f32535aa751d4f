// Number of transactions by size: 32, 64 and 128 bytes.
#pragma once

#include <array>
#include <vector>

#include "analysis/memory/global_rules.hpp"

namespace camber {

inline std::array<int, 3> by_size(const std::vector<Transaction>& list) {
    std::array<int, 3> counts{};
    for (const Transaction& t : list) ++counts[t.size == 32 ? 0 : t.size == 64 ? 1 : 2];
    return counts;
}

inline std::array<int, 3> by_size(const TransactionCounts& counts) {
    return {static_cast<int>(counts.transactions_32), static_cast<int>(counts.transactions_64),
            static_cast<int>(counts.transactions_128)};
}

}  // namespace camber
