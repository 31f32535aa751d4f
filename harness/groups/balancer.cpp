#include "harness/groups/balancer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>

namespace camber {

namespace {

// Listing 8.2: a place's time may differ from the mean by so much of what a slice takes.
constexpr double threshold = 0.5;

std::size_t place_at(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

// The published rule goes to and fro between two divisions where either has a place that is too
// slow. By the improved one a boundary goes back only for a larger excess than the one that moved
// it, so that it goes to and fro no more often than excesses grow.
bool Balancer::may_move(int giver, int taker, double excess) const {
    if (balancing_.rule == BalanceRule::published) return true;
    const int direction = taker > giver ? -1 : 1;
    for (int boundary = std::min(giver, taker); boundary < std::max(giver, taker); ++boundary) {
        const Move& last = moves_[place_at(boundary)];
        if (last.direction == -direction && excess <= last.excess) return false;
    }
    return true;
}

std::vector<Rows> Balancer::divided_anew(std::vector<Rows> stripes,
                                         std::span<const double> seconds) {
    const int places = static_cast<int>(stripes.size());
    moves_.resize(stripes.size());
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / places;
    const double slices =
        static_cast<double>(stripes.back().end - stripes.front().first) / balancing_.rows / places;
    const double tolerated = threshold * mean / slices;
    std::vector<int> takers;
    for (int place = 0; place < places; ++place)
        if (seconds[place_at(place)] - mean < -tolerated) takers.push_back(place);

    for (int giver = 0; giver < places; ++giver) {
        const double excess = seconds[place_at(giver)] - mean;
        if (excess <= tolerated || takers.empty()) continue;
        // The nearest first; of two, the one above.
        std::ranges::stable_sort(takers, {}, [&](int taker) { return std::abs(taker - giver); });
        for (const int taker : takers) {
            if (stripes[place_at(giver)].count() >= fewest_ + balancing_.rows &&
                may_move(giver, taker, excess)) {
                // The places between pass on as many as they get.
                const int direction = taker > giver ? -1 : 1;
                for (int boundary = std::min(giver, taker); boundary < std::max(giver, taker);
                     ++boundary) {
                    stripes[place_at(boundary)].end += direction * balancing_.rows;
                    stripes[place_at(boundary + 1)].first += direction * balancing_.rows;
                    moves_[place_at(boundary)] = {direction, excess};
                }
                return stripes;
            }
            if (balancing_.rule == BalanceRule::published) return stripes;
        }
    }
    return stripes;
}

}  // namespace camber
