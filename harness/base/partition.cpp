#include "harness/base/partition.hpp"

#include <algorithm>
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

std::vector<Rows> in_whole_blocks(std::vector<Rows> stripes, int block) {
    // A border moves by half of a block at most.
    const auto is_large = [&](const Rows& stripe) { return stripe.count() / 50 >= block; };
    if (!std::ranges::all_of(stripes, is_large)) return stripes;
    for (std::size_t place = 1; place < stripes.size(); ++place) {
        const int border = (stripes[place].first + block / 2) / block * block;
        stripes[place - 1].end = stripes[place].first = border;
    }
    return stripes;
}

}  // namespace camber
