// The ratio by hand, and what share of its intervals holds the truth.
#include "analysis/compare/time_ratio.hpp"

#include <limits>
#include <random>
#include <stdexcept>

#include "harness/base/statistics.hpp"
#include "tests/catch.hpp"

namespace time_ratio_test {

namespace {

using namespace camber::compare;

Series normal_series(std::size_t processes, std::size_t samples, double center, double between,
                     double within, std::mt19937_64& engine) {
    std::normal_distribution<double> normal;
    std::vector<std::vector<double>> all(processes);
    for (auto& process : all) {
        const double middle = center * (1 + between * normal(engine));
        for (std::size_t k = 0; k < samples; ++k)
            process.push_back(middle * (1 + within * normal(engine)));
    }
    return series_of(std::move(all));
}

// The share of 300 pairs of series, truly 1.02 apart, whose interval holds 1.02.
template <class IntervalOf>
double coverage(std::size_t processes, const IntervalOf& interval_of) {
    std::mt19937_64 engine(7);
    int covered = 0;
    constexpr int trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        const Series base = normal_series(processes, 20, 100, 0.01, 0.005, engine);
        const Series changed = normal_series(processes, 20, 102, 0.01, 0.005, engine);
        const Interval interval = interval_of(base, changed);
        covered += interval.low <= 1.02 && 1.02 <= interval.high;
    }
    return static_cast<double>(covered) / trials;
}

Interval by_processes(const Series& base, const Series& changed) {
    return time_ratio(base, changed, 1, false).interval;
}

// As if all samples were independent.
Interval by_samples(const Series& base, const Series& changed) {
    const auto pooled = [](const Series& series) {
        std::vector<double> all;
        for (const auto& process : series.processes)
            all.insert(all.end(), process.begin(), process.end());
        return series_of({all});
    };
    return time_ratio(pooled(base), pooled(changed), 1, false).interval;
}

}  // namespace

TEST_CASE("every process counts the same, however many samples it took", "[compare][time-ratio]") {
    const Series base = series_of({{3, 1, 2}, {10}, {4, 4, 4, 4, 4, 4, 4}});
    CHECK(base.process_medians() == std::vector<double>{2, 10, 4});
    CHECK(typical_time(base) == 4);
    const Series changed = series_of({{5}, {}, {7}});
    CHECK(changed.processes.size() == 2);
    CHECK(typical_time(changed) == 6);
    CHECK(time_ratio(base, changed, 1, false).ratio == 1.5);
}

TEST_CASE("without processes or with times that are none there is no ratio",
          "[compare][time-ratio]") {
    CHECK_THROWS_AS(series_of({}), std::invalid_argument);
    CHECK_THROWS_AS(series_of({{}, {}}), std::invalid_argument);
    CHECK_THROWS_AS(series_of({{1, 0}}), std::invalid_argument);
    CHECK_THROWS_AS(series_of({{1, std::numeric_limits<double>::infinity()}}),
                    std::invalid_argument);
    CHECK_THROWS_AS(series_of({{std::numeric_limits<double>::quiet_NaN(), 1}}),
                    std::invalid_argument);
}

TEST_CASE("few processes give the range of their medians", "[compare][time-ratio]") {
    const Series base = series_of({{100}, {101}, {104}});
    const Series changed = series_of({{110}, {112}});
    const TimeRatio ratio = time_ratio(base, changed, 1, false);
    CHECK(ratio.ratio == Approx(111.0 / 101));
    CHECK(ratio.widened);
    CHECK(ratio.between_processes_known);
    CHECK(ratio.interval.low <= 110.0 / 104);
    CHECK(ratio.interval.high >= 112.0 / 100);

    const TimeRatio alone = time_ratio(series_of({{100, 101}}), series_of({{100, 101}}), 1, false);
    CHECK_FALSE(alone.between_processes_known);
    CHECK_FALSE(alone.widened);
}

TEST_CASE("how often the range of process medians misses", "[compare][time-ratio]") {
    CHECK(range_misses(2, 2) == Approx(2.0 / 6));
    CHECK(range_misses(3, 3) == Approx(0.1));
    CHECK(range_misses(4, 4) == Approx(2.0 / 70));
    CHECK(range_misses(5, 5) == Approx(2.0 / 252));
    CHECK(range_misses(1, 5) == Approx(1.0 / 3));
}

TEST_CASE("the interval depends on samples and seed only", "[compare][time-ratio]") {
    std::mt19937_64 engine(3);
    const Series base = normal_series(8, 20, 100, 0.01, 0.005, engine);
    const Series changed = normal_series(8, 20, 103, 0.01, 0.005, engine);
    const TimeRatio once = time_ratio(base, changed, 5, false);
    const TimeRatio again = time_ratio(base, changed, 5, false);
    CHECK(once.interval.low == again.interval.low);
    CHECK(once.interval.high == again.interval.high);
    CHECK(time_ratio(base, changed, 6, false).interval.low != once.interval.low);
    CHECK_FALSE(once.widened);
    CHECK(time_ratio(base, changed, 5, true).interval.high >= once.interval.high);
}

// Between processes 1 %, within 0.5 %.
TEST_CASE("intervals by processes hold the true ratio, intervals by samples do not",
          "[compare][time-ratio]") {
    const double ten = coverage(10, by_processes);
    CHECK(ten > 0.9);
    CHECK(ten < 0.995);
    // In theory 90 and 99.2 %, with three standard deviations of 300 trials.
    CHECK(coverage(3, by_processes) == Approx(0.900).margin(0.052));
    CHECK(coverage(5, by_processes) == Approx(0.992).margin(0.016));
    CHECK(coverage(10, by_samples) < 0.7);
}

TEST_CASE("of one process the interval is that of its samples", "[compare][time-ratio]") {
    std::mt19937_64 engine(11);
    int covered = 0;
    constexpr int trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        const Series base = normal_series(1, 25, 100, 0, 0.01, engine);
        const Series changed = normal_series(1, 25, 100, 0, 0.01, engine);
        const Interval interval = time_ratio(base, changed, 1, false).interval;
        covered += interval.low <= 1 && 1 <= interval.high;
    }
    CHECK(covered > 0.92 * trials);
    CHECK(covered < 0.995 * trials);
}

TEST_CASE("two groups of processes are told from one wide group", "[compare][time-ratio]") {
    const ProcessSpread two = process_spread(series_of({{100, 100.2}, {112}, {100.1}, {112.2}}));
    CHECK(two.two_modes());
    CHECK(two.gap == Approx(11.9 / 106.05).epsilon(0.01));
    const ProcessSpread one = process_spread(series_of({{100}, {104}, {108}, {112}}));
    CHECK_FALSE(one.two_modes());
    CHECK(one.between == Approx(12.0 / 106));
    CHECK(process_spread(series_of({{1, 2, 3, 4, 5}})).within == Approx(2.0 / 3));
}

}  // namespace time_ratio_test
