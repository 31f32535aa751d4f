#include "analysis/memory/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"

namespace sampling_test {

using namespace camber;

TEST_CASE("a sample of blocks is distinct, sorted, repeatable and even", "[memory][sampling]") {
    const auto sample = sample_blocks(100, 30, 5);
    CHECK(sample.size() == 30);
    CHECK(std::ranges::is_sorted(sample));
    CHECK(std::ranges::adjacent_find(sample) == sample.end());
    CHECK(sample.front() >= 0);
    CHECK(sample.back() < 100);
    CHECK(sample == sample_blocks(100, 30, 5));
    CHECK(sample != sample_blocks(100, 30, 6));
    CHECK(sample_blocks(7, 7, 1) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
    CHECK(sample_blocks(7, 0, 1).empty());
    CHECK_THROWS_AS(sample_blocks(7, 8, 1), std::invalid_argument);
    CHECK_THROWS_AS(sample_blocks(7, -1, 1), std::invalid_argument);

    // Each of the 10 pairs out of 5 with probability 1/10: 10 000 draws, standard deviation 30.
    std::map<std::vector<std::int64_t>, int> pairs;
    for (std::uint64_t seed = 0; seed < 10000; ++seed) ++pairs[sample_blocks(5, 2, seed)];
    CHECK(pairs.size() == 10);
    for (const auto& [pair, times] : pairs) CHECK(std::abs(times - 1000) < 150);
}

TEST_CASE("estimates of a total, worked out by hand", "[memory][sampling]") {
    // Mean 4, s = 2, 3 of 12 blocks: error 12 sqrt(3/4) 2 / sqrt(3) = 12; t(2) = 4.302653.
    const TotalEstimate e = estimate_total(std::vector<std::int64_t>{2, 4, 6}, 12);
    CHECK(e.total == Approx(48));
    CHECK(e.high == Approx(48 + 4.302653 * 12).epsilon(1e-6));
    CHECK(e.low == 12);  // 48 - 51.6 would be below what was seen

    const TotalEstimate all = estimate_total(std::vector<std::int64_t>{2, 4, 6}, 3);
    CHECK(all.total == 12);
    CHECK(all.low == 12);
    CHECK(all.high == 12);

    const TotalEstimate same = estimate_total(std::vector<std::int64_t>{5, 5}, 1000);
    CHECK(same.low == same.high);
    CHECK(same.total == 5000);
}

TEST_CASE("the interval uses the t distribution", "[memory][sampling]") {
    // Two groups of n / 2 counts at 0 and 2: mean 1, and (high - total) gives t back.
    const std::map<int, double> quantiles = {{2, 12.70620},  {4, 3.182446},  {6, 2.570582},
                                             {10, 2.262157}, {30, 2.045230}, {100, 1.984217}};
    for (const auto& [n, t] : quantiles) {
        CAPTURE(n);
        std::vector<std::int64_t> counts(n, 0);
        std::fill(counts.begin(), counts.begin() + n / 2, 2000000);
        const double blocks = 1e6;
        const TotalEstimate e = estimate_total(counts, 1000000);
        const double s = 1e6 * std::sqrt(n / (n - 1.0));
        const double error = blocks * std::sqrt((1 - n / blocks) / n) * s;
        CHECK((e.high - e.total) / error == Approx(t).epsilon(2e-5));
    }
}

TEST_CASE("the interval covers the total in 95 of 100 samples", "[memory][sampling]") {
    std::mt19937_64 engine(51);
    for (const auto& [blocks, sample] :
         {std::pair(1000, 50), std::pair(60, 40), std::pair(400, 8)}) {
        CAPTURE(blocks, sample);
        std::vector<std::int64_t> counts(blocks);
        std::normal_distribution<double> normal(10000, 1500);
        for (auto& count : counts) count = std::llround(normal(engine));
        const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
        int covered = 0;
        double sum = 0;
        constexpr int trials = 4000;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<std::int64_t> seen;
            for (const std::int64_t b : sample_blocks(blocks, sample, engine())) {
                seen.push_back(counts[b]);
            }
            const TotalEstimate e = estimate_total(seen, blocks);
            covered += e.low <= total && total <= e.high;
            sum += e.total;
        }
        // Four standard deviations of the coverage are 0.014.
        CHECK(covered / double{trials} > 0.935);
        CHECK(covered / double{trials} < 0.965);
        CHECK(sum / trials == Approx(total).epsilon(0.002));
    }
}

TEST_CASE("counts that give no interval are refused", "[memory][sampling]") {
    const std::vector<std::int64_t> none, one = {1}, two = {1, 2};
    CHECK_THROWS_AS(estimate_total(none, 10), std::invalid_argument);
    CHECK_THROWS_WITH(
        estimate_total(one, 10),
        "counts of 1 of 10 blocks give no interval; sample at least two, at most all");
    CHECK_THROWS_AS(estimate_total(two, 1), std::invalid_argument);
    CHECK(estimate_total(one, 1).total == 1);
}

TEST_CASE("a launch is estimated count by count from its blocks", "[memory][sampling]") {
    using namespace camber;
    const auto block = [](std::int64_t loads, bool stores) {
        LaunchModel model;
        model.blocks = 1;
        SiteCounts load{3, {}};
        load.counts.global_load.requests = loads;
        model.sites.push_back(load);
        model.counts += load.counts;
        if (stores) {
            SiteCounts store{5, {}};
            store.counts.global_store.requests = 2;
            model.sites.push_back(store);
            model.counts += store.counts;
        }
        model.reads = {7, 9, 7, 9};
        model.distinct_sectors = 7;
        return model;
    };
    const std::vector<LaunchModel> blocks = {block(10, true), block(14, false), block(12, true)};
    const LaunchEstimate estimate = estimate_launch(blocks, 30);
    REQUIRE(estimate.total.sites.size() == 2);
    CHECK(estimate.total.sites[0].counts.global_load.requests == 360);
    CHECK(estimate.total.sites[1].counts.global_store.requests == 40);
    CHECK(estimate.total.counts.global_load.requests == 360);
    CHECK(estimate.total.blocks == 30);
    const TotalEstimate loads = estimate_total(std::vector<std::int64_t>{10, 14, 12}, 30);
    CHECK(estimate.low.counts.global_load.requests == std::floor(loads.low));
    CHECK(estimate.high.counts.global_load.requests == std::ceil(loads.high));
    CHECK(estimate.total.reads.block_sectors == 70 * 3);
    CHECK(estimate.total.reads.grid_sectors == 0);  // not known
    CHECK(estimate.total.distinct_sectors == 0);

    // All blocks: exact.
    const LaunchEstimate all = estimate_launch(blocks, 3);
    CHECK((all.low == all.high));
    CHECK(all.total.counts.global_load.requests == 36);
    CHECK_THROWS_AS(estimate_launch({}, 3), std::invalid_argument);
}

}  // namespace sampling_test
