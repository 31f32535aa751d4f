// Which rows change their place: fixed costs of rows, the published rule's ends, and the improved
// one's.
#include "harness/groups/balancer.hpp"

#include <numeric>
#include <vector>

#include "harness/base/partition.hpp"
#include "tests/catch.hpp"

namespace camber::balancer_test {
namespace {

using Costs = std::vector<double>;
using Ends = std::vector<int>;

Costs repeated(const std::vector<std::pair<int, double>>& runs) {
    Costs costs;
    for (const auto& [count, cost] : runs) costs.insert(costs.end(), count, cost);
    return costs;
}
const Costs heavy_end = repeated({{60, 1.0}, {20, 3.0}});
const Costs three_kinds = repeated({{20, 2.0}, {40, 1.0}, {30, 0.5}});

std::vector<double> times_of(const Costs& costs, const std::vector<Rows>& stripes) {
    std::vector<double> times;
    for (const Rows& rows : stripes)
        times.push_back(std::accumulate(costs.begin() + rows.first, costs.begin() + rows.end, 0.0));
    return times;
}

Ends ends_of(const std::vector<Rows>& stripes) {
    Ends ends;
    for (const Rows& rows : stripes) ends.push_back(rows.end);
    return ends;
}

// Begins with shares that are rounded down, as the goldens do.
std::vector<Rows> equal_shares(int rows, int places) {
    std::vector<Rows> stripes;
    for (int place = 0; place < places; ++place)
        stripes.push_back({place * rows / places, (place + 1) * rows / places});
    return stripes;
}

struct End {
    Ends ends;
    int moves = 0;
    bool rests = false;
};

End balanced(const Costs& costs, int places, const Balancing& balancing, int fewest = 1) {
    constexpr int rounds = 400;
    Balancer balancer(balancing, fewest);
    std::vector<Rows> stripes = equal_shares(static_cast<int>(costs.size()), places);
    End end;
    for (int round = 0; round < rounds && !end.rests; ++round) {
        const auto next = balancer.divided_anew(stripes, times_of(costs, stripes));
        end.rests = next == stripes;
        if (!end.rests) ++end.moves;
        stripes = next;
    }
    end.ends = ends_of(stripes);
    return end;
}

double largest(const Costs& costs, const Ends& ends) {
    std::vector<Rows> stripes;
    int first = 0;
    for (const int end : ends) {
        stripes.push_back({first, end});
        first = end;
    }
    return std::ranges::max(times_of(costs, stripes));
}

constexpr Balancing published{BalanceRule::published, 10, 1};
constexpr Balancing improved{BalanceRule::improved, 10, 1};

}  // namespace

TEST_CASE("the published rule of balancing ends where it did", "[group][balance]") {
    struct Golden {
        const Costs* costs;
        int places;
        Ends ends;
        int moves;
    };
    for (const auto& [costs, places, ends, moves] :
         std::vector<Golden>{{&heavy_end, 2, {60, 80}, 20},
                             {&heavy_end, 4, {30, 60, 70, 80}, 24},
                             {&heavy_end, 5, {24, 48, 64, 72, 80}, 24},
                             {&three_kinds, 2, {28, 90}, 17},
                             {&three_kinds, 3, {16, 44, 90}, 18},
                             {&three_kinds, 4, {12, 28, 52, 90}, 21},
                             {&three_kinds, 6, {8, 16, 28, 44, 60, 90}, 25}}) {
        CAPTURE(places);
        const End end = balanced(*costs, places, published);
        CHECK(end.rests);
        CHECK(end.ends == ends);
        CHECK(end.moves == moves);
    }
    // To and fro for ever.
    CHECK_FALSE(balanced(heavy_end, 3, published).rests);
    CHECK_FALSE(balanced(three_kinds, 5, published).rests);
    const End stuck = balanced(heavy_end, 6, published);
    CHECK_FALSE(stuck.rests);
    CHECK(largest(heavy_end, stuck.ends) == 33);
}

TEST_CASE("the improved rule of balancing comes to rest", "[group][balance]") {
    for (const Costs* const costs : {&heavy_end, &three_kinds})
        for (int places = 2; places <= 6; ++places) {
            CAPTURE(places, costs->size());
            const End end = balanced(*costs, places, improved);
            CHECK(end.rests);
            CHECK(end.moves < 40);
            const End other = balanced(*costs, places, published);
            CHECK(largest(*costs, end.ends) <= largest(*costs, other.ends));
        }
    CHECK(largest(heavy_end, balanced(heavy_end, 6, improved).ends) == 21);
    CHECK(balanced(heavy_end, 3, improved).ends == Ends{40, 67, 80});
}

TEST_CASE("places keep the rows that their neighbours need", "[group][balance]") {
    for (const Balancing& rule : {published, improved}) {
        const End end = balanced(repeated({{1, 1000.0}, {19, 1.0}}), 2, rule, 3);
        CHECK(end.ends == Ends{3, 20});
        CHECK(end.rests);
    }
}

TEST_CASE("several rows may change their place at once", "[group][balance]") {
    const Costs costs = repeated({{600, 1.0}, {200, 3.0}});
    const End end = balanced(costs, 2, {BalanceRule::improved, 10, 10});
    CHECK(end.ends == Ends{600, 800});
    CHECK(end.moves == 20);
}

}  // namespace camber::balancer_test
