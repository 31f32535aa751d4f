#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/memory/extrapolation.hpp"
#include "tests/analysis/memory/toy_kernels.hpp"
#include "tests/catch.hpp"

namespace extrapolate_test {

using namespace camber;

namespace {

using Function = std::function<std::int64_t(std::int64_t, std::int64_t)>;

std::int64_t extrapolated(const BoardPlan& plan, const Function& count, BoardSize target) {
    std::array<std::vector<std::int64_t>, 4> lists;
    for (std::size_t i = 0; i < 4; ++i) {
        lists[i] = {count(plan.boards()[i].columns, plan.boards()[i].rows)};
    }
    return extrapolate(plan, {lists[0], lists[1], lists[2], lists[3]}, target).at(0);
}

const BoardPlan plan_16x16{{48, 80}, {64, 80}, {32, 16}};

// A board whose rows are padded to `alignment` bytes.
ToyBoard padded(BoardSize size, std::int64_t alignment) {
    const std::int64_t cells = alignment / 4;
    const std::int64_t pitch = (size.columns + 2 + cells - 1) / cells * cells;
    return {size.columns, size.rows, pitch, pitch + 1};
}

}  // namespace

TEST_CASE("bilinear counts are continued exactly", "[memory][extrapolate]") {
    std::mt19937_64 engine(41);
    for (int i = 0; i < 200; ++i) {
        const auto coefficient = [&] { return static_cast<std::int64_t>(engine() % 1000); };
        const std::int64_t a = coefficient(), b = coefficient(), d = coefficient(),
                           e = coefficient();
        // In units of the period, so that counts per cell may be fractions.
        const Function count = [&](std::int64_t c, std::int64_t r) {
            const std::int64_t right = (c - 16) / 32, down = r / 16;
            return a + b * right + d * down + e * right * down;
        };
        const BoardSize target{16 + 32 * static_cast<std::int64_t>(engine() % 100000),
                               16 * static_cast<std::int64_t>(engine() % 100000)};
        REQUIRE(extrapolated(plan_16x16, count, target) == count(target.columns, target.rows));
    }
}

TEST_CASE("what does not follow from four boards is refused", "[memory][extrapolate]") {
    const Function cells = [](std::int64_t c, std::int64_t r) { return c * r; };
    CHECK(extrapolated(plan_16x16, cells, {144, 160}) == 144 * 160);
    CHECK_THROWS_WITH(extrapolated(plan_16x16, cells, {145, 160}),
                      contains("145 columns is not congruent to 48 modulo 32"));
    CHECK_THROWS_WITH(extrapolated(plan_16x16, cells, {144, 168}),
                      contains("168 rows is not congruent to 64 modulo 16"));
    CHECK_THROWS_WITH(extrapolated(plan_16x16, [](auto c, auto) { return 1000 - c; }, {4048, 160}),
                      contains("simulate it in full"));

    // Boards two periods apart: a nonlinear count in between yields a fraction.
    const BoardPlan wide{{48, 112}, {64, 80}, {32, 16}};
    CHECK_THROWS_WITH(extrapolated(wide, [](auto c, auto) { return c == 48 ? 0 : 1; }, {80, 160}),
                      contains("whole number"));

    const BoardPlan fixed{{48, 48}, {64, 80}, {32, 16}};
    CHECK(extrapolated(fixed, cells, {48, 160}) == 48 * 160);
    CHECK_THROWS_WITH(extrapolated(fixed, cells, {80, 160}), contains("plan boards for this size"));

    const std::vector<std::int64_t> one = {1}, two = {1, 2};
    CHECK_THROWS_AS(extrapolate(plan_16x16, {one, one, two, one}, {144, 160}),
                    std::invalid_argument);
}

TEST_CASE("boards to simulate repeat blocks and addresses", "[memory][extrapolate]") {
    const auto plan = plan_boards({2048, 2048}, {16, 16}, 4);
    REQUIRE(plan);
    CHECK(plan->period == BoardSize{32, 32});
    CHECK(plan->columns == std::array<std::int64_t, 2>{64, 96});
    CHECK(plan->rows == std::array<std::int64_t, 2>{64, 96});
    CHECK(plan->boards()[1] == BoardSize{96, 64});
    CHECK(plan->boards()[2] == BoardSize{64, 96});

    // Three regions of 48 columns, and 48 with 32 repeat after 96; the remainder of the target is
    // retained.
    const auto odd = plan_boards({2001, 1000}, {48, 10}, 4);
    REQUIRE(odd);
    CHECK(odd->period == BoardSize{96, 160});
    CHECK(odd->columns == std::array<std::int64_t, 2>{177, 273});
    CHECK(odd->rows == std::array<std::int64_t, 2>{40, 200});
    CHECK((2001 - 177) % 96 == 0);

    // 1-byte elements: 128 per line; rows padded to 512 bytes.
    CHECK(plan_boards({10000, 10000}, {16, 16}, 1)->period == BoardSize{128, 128});
    // With 3 x 16 bytes, two rows of a warp would share a line.
    CHECK(plan_boards({10000, 10000}, {16, 16}, 1)->columns ==
          std::array<std::int64_t, 2>{272, 400});
    CHECK(plan_boards({10000, 10000}, {16, 16}, 1)->rows == std::array<std::int64_t, 2>{144, 272});
    // If rows are padded to whole lines, they repeat from one to the next.
    CHECK(plan_boards({10000, 10000}, {16, 16}, 4, 512)->period == BoardSize{128, 16});
    CHECK(plan_boards({10000, 10000}, {16, 16}, 4, 64)->period == BoardSize{32, 32});
    CHECK(plan_boards({10000, 10000}, {16, 16}, 12)->period == BoardSize{32, 32});

    CHECK_FALSE(plan_boards({96, 96}, {16, 16}, 4));
    CHECK_FALSE(plan_boards({16, 16}, {16, 16}, 4));
    CHECK_FALSE(plan_boards({128, 128}, {16, 16}, 4));  // 160 x 160 cells on all four boards
    CHECK(plan_boards({192, 192}, {16, 16}, 4));
    // A narrow and tall board is extrapolated in one direction only.
    const auto narrow = plan_boards({20, 10000}, {16, 16}, 4);
    REQUIRE(narrow);
    CHECK(narrow->columns == std::array<std::int64_t, 2>{20, 20});
    CHECK(narrow->rows == std::array<std::int64_t, 2>{48, 80});

    CHECK_THROWS_AS(plan_boards({0, 10}, {16, 16}, 4), std::invalid_argument);
    CHECK_THROWS_AS(plan_boards({10, 10}, {16, 0}, 4), std::invalid_argument);
}

TEST_CASE("a launch's model on a large board follows from four small ones",
          "[memory][extrapolate]") {
    struct Case {
        BoardSize target;
        int width, height;
        std::int64_t alignment;
        RuleSet rules;
    };
    const std::vector<Case> cases = {
        {{320, 256}, 16, 16, 128, RuleSet::cc50}, {{301, 275}, 16, 16, 4, RuleSet::cc50},
        {{411, 203}, 64, 4, 4, RuleSet::cc50},    {{411, 203}, 32, 8, 4, RuleSet::cc30},
        {{323, 263}, 16, 16, 256, RuleSet::cc20}, {{310, 250}, 16, 16, 4, RuleSet::cc12},
        {{333, 290}, 16, 16, 64, RuleSet::cc10},  {{20, 700}, 16, 16, 4, RuleSet::cc50},
        {{900, 40}, 64, 4, 4, RuleSet::cc50},
    };
    for (const Case& c : cases) {
        CAPTURE(c.target.columns, c.target.rows, c.width, c.alignment, to_string(c.rules));
        const auto model = [&](BoardSize size) {
            return life_tile(c.rules, padded(size, c.alignment), c.width, c.height, 1 << 26);
        };
        const auto plan = plan_boards(c.target, {c.width, c.height}, 4, c.alignment);
        REQUIRE(plan);
        const auto boards = plan->boards();
        const std::array<LaunchModel, 4> launches = {model(boards[0]), model(boards[1]),
                                                     model(boards[2]), model(boards[3])};
        const LaunchModel full = model(c.target);
        CHECK((extrapolate(*plan, launches, c.target) == full));
        CHECK_FALSE((launches[3] == full));
    }
}

TEST_CASE("launches of different kernels are not combined", "[memory][extrapolate]") {
    const auto life = [](RuleSet rules) {
        return life_tile(rules, padded({96, 96}, 4), 16, 16, 1 << 26);
    };
    const LaunchModel a = life(RuleSet::cc50);
    CHECK_THROWS_WITH(extrapolate(plan_16x16, {a, a, life(RuleSet::cc30), a}, {144, 160}),
                      contains("differ in rule set or call sites"));
    LaunchModel fewer = a;
    fewer.sites.pop_back();
    CHECK_THROWS_AS(extrapolate(plan_16x16, {a, fewer, a, a}, {144, 160}), std::invalid_argument);
}

}  // namespace extrapolate_test

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

    // Each of the 10 pairs out of 5 has probability 1/10: 10 000 draws, standard deviation 30.
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
    CHECK(e.low == 12);  // 48 - 51.6 would be below the sample's own total

    const TotalEstimate all = estimate_total(std::vector<std::int64_t>{2, 4, 6}, 3);
    CHECK(all.total == 12);
    CHECK(all.low == 12);
    CHECK(all.high == 12);

    const TotalEstimate same = estimate_total(std::vector<std::int64_t>{5, 5}, 1000);
    CHECK(same.low == same.high);
    CHECK(same.total == 5000);
}

TEST_CASE("the interval uses the t distribution", "[memory][sampling]") {
    // Two groups of n / 2 counts at 0 and 2: the mean is 1, and t follows from high - total.
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
    CHECK(estimate.total.reads.grid_sectors == 0);  // unknown
    CHECK(estimate.total.distinct_sectors == 0);

    // All blocks: exact.
    const LaunchEstimate all = estimate_launch(blocks, 3);
    CHECK((all.low == all.high));
    CHECK(all.total.counts.global_load.requests == 36);
    CHECK_THROWS_AS(estimate_launch({}, 3), std::invalid_argument);
}

}  // namespace sampling_test
