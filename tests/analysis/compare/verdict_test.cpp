#include <limits>
#include <random>
#include <stdexcept>

#include "analysis/compare/self_test.hpp"
#include "analysis/compare/verdict.hpp"
#include "harness/base/statistics.hpp"
#include "tests/analysis/compare/documents.hpp"
#include "tests/catch.hpp"

namespace time_ratio_test {

// Time ratios computed by hand, and the coverage of their intervals.

namespace {

using namespace camber::comparison;

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

// Coverage: share of 300 pairs of series with the true ratio 1.02 whose interval contains 1.02.
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

// Ignores that samples of one process are correlated.
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

// Standard deviation 1 % between processes and 0.5 % within.
TEST_CASE("intervals by processes hold the true ratio, intervals by samples do not",
          "[compare][time-ratio]") {
    const double ten = coverage(10, by_processes);
    CHECK(ten > 0.9);
    CHECK(ten < 0.995);
    // In theory 90 and 99.2 %; the margins are three standard deviations of 300 trials.
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

namespace verdict_test {

// Verdicts on measured data and on data with planted changes.

namespace {

using namespace camber;
using namespace camber::comparison;
using namespace camber::compare_test;

const char* const measured[] = {"results/measurement/aa.json", "results/measurement/aa-small.json"};

std::vector<std::vector<double>> processes_at(const std::vector<double>& centers,
                                              std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::vector<double>> processes;
    for (const double center : centers)
        processes.push_back(samples_around(center, 0.002, 20, engine));
    return processes;
}

TimeComparison verdict_on(const std::vector<double>& base, const std::vector<double>& changed) {
    return compare_times({series_of(processes_at(base, 1)), {}, {}},
                         {series_of(processes_at(changed, 2)), {}, {}}, {});
}

}  // namespace

TEST_CASE("a planted slowdown of 5 % is found in every measured case, one of 1 % in none",
          "[compare][verdict]") {
    for (const char* path : measured) {
        CAPTURE(path);
        const Document base = committed(path);
        const std::size_t cases = base.cases.size();
        const Comparison slower = compared(base, slowed(base, 1.05));
        CHECK(slower.counts.slower == cases);
        CHECK(slower.exit_code() == ExitCode::regression);
        CHECK(compared(slowed(base, 1.05), base).counts.faster == cases);
        CHECK(compared(slowed(base, 1.05), base).exit_code() == ExitCode::success);

        const Comparison slight = compared(base, slowed(base, 1.01));
        CHECK(slight.counts.same == cases);
        CHECK(slight.exit_code() == ExitCode::success);
        CHECK(compared(base, base).counts.same == cases);
    }
}

TEST_CASE("A/A comparisons of measured cases give at most one false alarm", "[compare][self]") {
    std::vector<Document> files;
    for (const char* path : measured) files.push_back(committed(path));
    const SelfTest test = self_test(files, {});
    CHECK(test.cases == 94);
    CHECK(test.pairs.size() == 94);
    CHECK(test.alarms <= 1);
    CHECK(test.median <= test.p90);
    CHECK(test.p99 <= test.largest);
    // Two visits of every case differ by less than 0.5 % (results/measurement/measurement.txt).
    CHECK(test.largest < 0.005);
    CHECK(test.threshold_without_alarm == Approx(0.005));
    REQUIRE(test.threshold_one_in_50);
    CHECK(*test.threshold_one_in_50 <= test.threshold_without_alarm);
}

TEST_CASE("repeated runs of one program are A/A too", "[compare][verdict]") {
    // Two commits with the same kernels; the second file has additional variants.
    const Comparison again = compared(committed("results/measurement/life-16384.json"),
                                      committed("results/measurement/life-16384-again.json"));
    CHECK(again.counts.timed == 47);
    CHECK(again.counts.slower + again.counts.faster <= 1);
    CHECK(again.counts.more == 0);
    CHECK(again.exit_code() == ExitCode::success);
}

// results/experiments/README.md: the compiler converted four of five divisions of the kernel
// `outflow` to multiplications by reciprocals.
TEST_CASE("a change of the code that was measured is found", "[compare][verdict]") {
    const Document before = committed("results/experiments/surface_water-divisions.json");
    const Document after = committed("results/experiments/surface_water-reciprocals.json");
    comparison::GateRules rules;
    rules.allowed = Allowed({"missing"});
    const Comparison comparison = compared(before, after, rules);
    CHECK(comparison.counts.slower == 0);
    CHECK(comparison.counts.faster > 50);
    int found = 0;
    for (const CaseComparison& one : comparison.cases) {
        if (!one.name.starts_with("surface_water/packed/four_kernels/64x4/v4/r4/")) continue;
        ++found;
        REQUIRE(one.time);
        CHECK(one.time->verdict == Verdict::faster);
        CHECK(one.time->time.ratio == Approx(978.0 / 1171).epsilon(0.01));
        // The change costs two more registers.
        CHECK(one.count(Effect::regression) == 1);
    }
    CHECK(found == 1);
}

TEST_CASE("two modes between processes end UNDECIDED and ask for more processes",
          "[compare][verdict]") {
    const double high = 112;
    for (const auto& [base, changed] :
         {std::pair<std::vector<double>, std::vector<double>>{{100, high, 100, high, 100},
                                                              {high, 100, high, high, 100}},
          {{100, 100, 100, 100, 100}, {high, 100, high, high, high}},
          {{100, high, 100, 100, 100, 100, 100, 100, 100, 100},
           {high, high, high, high, high, high, high, high, 100, high}}}) {
        const TimeComparison result = verdict_on(base, changed);
        CHECK(result.verdict == Verdict::undecided);
        CHECK_THAT(result.reason, contains("two groups"));
        CHECK(result.advice == Advice::more_processes);
    }
    // An equal share of both modes is not SAME either.
    CHECK(verdict_on({100, high, 100, high}, {100, high, 100, high}).verdict == Verdict::undecided);
    // A change beyond both modes is decided despite the modes.
    CHECK(
        verdict_on({100, high, 100, high, 100, 100}, {130, 145.6, 130, 130, 145.6, 130}).verdict ==
        Verdict::slower);
}

TEST_CASE("processes that agree decide", "[compare][verdict]") {
    const std::vector<double> base{100, 100.1, 99.9, 100.2, 100};
    CHECK(verdict_on(base, {105, 105.2, 104.9, 105, 105.1}).verdict == Verdict::slower);
    CHECK(verdict_on(base, {95, 95.2, 94.9, 95, 95.1}).verdict == Verdict::faster);
    CHECK(verdict_on(base, {101, 101.2, 100.9, 101, 101.1}).verdict == Verdict::same);
    // Close to the threshold the intervals contain it.
    const TimeComparison close = verdict_on(base, {103, 102.5, 103.5, 102.8, 103.2});
    CHECK(close.verdict == Verdict::undecided);
    CHECK(close.advice == Advice::processes_or_rounds);
}

TEST_CASE("a threshold moves the verdict", "[compare][verdict]") {
    const Timing base{series_of(processes_at({100, 100, 100, 100, 100, 100}, 1)), {}, {}};
    const Timing changed{series_of(processes_at({102, 102, 102, 102, 102, 102}, 2)), {}, {}};
    CHECK(compare_times(base, changed, {.threshold = 0.03}).verdict == Verdict::same);
    CHECK(compare_times(base, changed, {.threshold = 0.01}).verdict == Verdict::slower);
    CHECK(compare_times(changed, base, {.threshold = 0.01}).verdict == Verdict::faster);
}

TEST_CASE("a difference that the clock explains is undecided", "[compare][verdict]") {
    Document base = document_of(processes_at({100, 100, 100, 100, 100, 100}, 1));
    Document changed = slowed(base, 1.10);
    set_clock(base, 1'980'000'000);
    set_clock(changed, 1'800'000'000);
    const Comparison by_clock = compared(base, changed);
    CHECK(by_clock.counts.undecided == 1);
    CHECK_THAT(by_clock.cases[0].time->reason, contains("1980 MHz") && contains("1800 MHz"));
    CHECK(by_clock.cases[0].time->advice == Advice::equal_clocks);
    CHECK(by_clock.exit_code() == ExitCode::success);
    comparison::GateRules strict;
    strict.fail_on_undecided = true;
    CHECK(compared(base, changed, strict).exit_code() == ExitCode::regression);

    set_clock(changed, 1'980'000'000);
    const Comparison by_code = compared(base, changed);
    CHECK(by_code.counts.slower == 1);
    CHECK(*by_code.cases[0].time->cycles_ratio == Approx(1.10));
    // Equal times at different clocks remain SAME.
    Document warm = base;
    set_clock(warm, 1'800'000'000);
    CHECK(compared(base, warm).counts.same == 1);
}

TEST_CASE("cycles that were counted stand in for clocks, of long launches", "[compare][verdict]") {
    Document base = document_of(processes_at({100, 100, 100, 100, 100, 100}, 1));
    Document changed = slowed(base, 1.10);
    const auto count = [](Document& document, double cycles, double nanoseconds) {
        document.cases[0].counters = {{"sm__cycles_elapsed.max", cycles},
                                      {"gpu__time_duration.sum", nanoseconds}};
    };
    count(base, 4e6, 2e6);
    count(changed, 4e6, 2.2e6);
    CHECK(compared(base, changed).counts.undecided == 1);
    CHECK(compared(base, changed).cases[0].time->advice == Advice::recorded_clocks);
    count(changed, 4.4e6, 2.2e6);
    CHECK(compared(base, changed).counts.slower == 1);
    // Short launches include too much host time, so that their cycles are ignored.
    count(base, 4e4, 2e4);
    count(changed, 4e4, 2e4);
    const Comparison brief = compared(base, changed);
    CHECK(brief.counts.slower == 1);
    CHECK_FALSE(brief.cases[0].time->cycles_ratio);
}

TEST_CASE("a sample or two decide nothing", "[compare][verdict]") {
    const Comparison few = compared(document_of({{100, 101}}), document_of({{200, 201}}));
    CHECK(few.counts.undecided == 1);
    CHECK(few.cases[0].time->advice == Advice::more_samples);
}

}  // namespace verdict_test
