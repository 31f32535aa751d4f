#include "harness/base/partition.hpp"

#include <cstdint>
#include <numeric>

namespace camber {

std::vector<Rows> stripes(int rows, std::span<const int> weights) {
    const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    std::vector<Rows> stripes;
    std::int64_t before = 0;
    int first = 0;
    for (const int weight : weights) {
        before += weight;
        const int end = static_cast<int>((2 * std::int64_t{rows} * before + all) / (2 * all));
        stripes.push_back({first, end});
        first = end;
    }
    return stripes;
}

std::vector<Rows> stripes(int rows, int places) {
    return stripes(rows, std::vector<int>(static_cast<std::size_t>(places), 1));
}

}  // namespace camber
