// Values computed by hand, and statistical tests of the interval with fixed seeds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/base/statistics.hpp"
#include "tests/catch.hpp"

namespace statistics_test {

namespace {

using camber::SampleStatistics;
using Samples = std::vector<double>;

Samples normal_samples(std::size_t n, double mean, double deviation, std::mt19937_64& engine) {
    std::normal_distribution<double> normal(mean, deviation);
    Samples samples(n);
    for (double& sample : samples) sample = normal(engine);
    return samples;
}

Samples one_to(std::size_t n) {
    Samples samples(n);
    std::iota(samples.begin(), samples.end(), 1.0);
    return samples;
}

// Direct implementation of the bootstrap: draw indices, sort, take the median.
std::pair<double, double> interval_by_resampling(const Samples& samples, std::size_t resamples) {
    std::mt19937_64 engine(99);
    std::uniform_int_distribution<std::size_t> index(0, samples.size() - 1);
    Samples medians(resamples);
    Samples resample(samples.size());
    for (double& median : medians) {
        for (double& value : resample) value = samples[index(engine)];
        median = camber::median(resample);
    }
    return {camber::quantile(medians, 0.025), camber::quantile(medians, 0.975)};
}

}  // namespace

TEST_CASE("quantiles interpolate as R's type 7 does", "[statistics]") {
    // R: quantile(c(15, 20, 35, 40, 50), c(0, .05, .25, .4, .5, .75, 1))
    const Samples five = {35, 15, 50, 20, 40};
    CHECK(camber::quantile(five, 0.0) == 15);
    CHECK(camber::quantile(five, 0.05) == Approx(16));
    CHECK(camber::quantile(five, 0.25) == 20);
    CHECK(camber::quantile(five, 0.4) == Approx(29));
    CHECK(camber::median(five) == 35);
    CHECK(camber::quantile(five, 0.75) == 40);
    CHECK(camber::quantile(five, 1.0) == 50);

    const Samples four = {4, 1, 3, 2};
    CHECK(camber::quantile(four, 0.25) == Approx(1.75));
    CHECK(camber::median(four) == Approx(2.5));
    CHECK(camber::quantile(four, 0.75) == Approx(3.25));

    CHECK(camber::quantile(Samples{7}, 0.3) == 7);
}

TEST_CASE("a summary holds what its fields say", "[statistics]") {
    Samples samples = one_to(9);
    samples.push_back(100);
    const SampleStatistics s = camber::summarize(samples, 1);
    CHECK(s.n == 10);
    CHECK(s.min == 1);
    CHECK(s.median == Approx(5.5));
    CHECK(s.iqr == Approx(4.5));  // 3.25 to 7.75
    CHECK(s.outliers == 1);       // beyond 7.75 + 6.75
    CHECK(s.ci95_low >= 1);
    CHECK(s.ci95_low < s.median);
    CHECK(s.ci95_high > s.median);
    CHECK(s.ci95_high < 10);
}

TEST_CASE("Tukey's fences themselves are not outliers", "[statistics]") {
    // Quartiles 2 and 4, so that the fences are at -1 and 7.
    CHECK(camber::summarize(Samples{-1, 2, 3, 4, 7}, 1).outliers == 0);
    CHECK(camber::summarize(Samples{-1.001, 2, 3, 4, 7.001}, 1).outliers == 2);
}

TEST_CASE("one sample and equal samples are their own interval", "[statistics]") {
    for (const std::size_t n : {1UL, 2UL, 100UL}) {
        const SampleStatistics s = camber::summarize(Samples(n, 42.5), 7);
        CHECK(s.n == n);
        CHECK(s.min == 42.5);
        CHECK(s.median == 42.5);
        CHECK(s.iqr == 0);
        CHECK(s.ci95_low == 42.5);
        CHECK(s.ci95_high == 42.5);
        CHECK(s.outliers == 0);
    }
}

TEST_CASE("statistics of nothing, or of something that is no number, are refused", "[statistics]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(camber::summarize(Samples{}, 1), std::invalid_argument);
    CHECK_THROWS_AS(camber::median(Samples{}), std::invalid_argument);
    CHECK_THROWS_AS(camber::quantile(Samples{}, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(camber::quantile(Samples{1, 2}, -0.1), std::invalid_argument);
    CHECK_THROWS_AS(camber::quantile(Samples{1, 2}, 1.1), std::invalid_argument);
    CHECK_THROWS_AS(camber::quantile(Samples{1, 2}, nan), std::invalid_argument);
    CHECK_THROWS_WITH(camber::summarize(Samples{1, nan}, 1), contains("sample 1"));
    CHECK_THROWS_WITH(camber::median(Samples{infinity, 1}), contains("sample 0"));
}

TEST_CASE("the interval depends on samples and seed, not on order", "[statistics]") {
    std::mt19937_64 engine(5);
    Samples samples = normal_samples(60, 100, 10, engine);
    const SampleStatistics first = camber::summarize(samples, 3);
    std::reverse(samples.begin(), samples.end());
    const SampleStatistics second = camber::summarize(samples, 3);
    CHECK(first.ci95_low == second.ci95_low);
    CHECK(first.ci95_high == second.ci95_high);
    const SampleStatistics other = camber::summarize(samples, 4);
    CHECK((other.ci95_low != first.ci95_low || other.ci95_high != first.ci95_high));
}

TEST_CASE("the interval is that of literal resampling", "[statistics]") {
    for (const std::size_t n : {2UL, 3UL, 4UL, 5UL, 10UL, 11UL, 50UL, 51UL, 400UL}) {
        const Samples samples = one_to(n);
        const auto [low, high] = interval_by_resampling(samples, 20000);
        const SampleStatistics s = camber::summarize(samples, 11);
        // The samples are 1 apart. The bound is five standard errors of the 2.5 % quantile of 2000
        // medians, whose own deviation is about sqrt(n) / 2, plus half a step for the discreteness.
        const double bound = 0.5 + 5 * 0.03 * std::sqrt(static_cast<double>(n));
        INFO("n = " << n << ", resampled " << low << " to " << high);
        CHECK(std::abs(s.ci95_low - low) <= bound);
        CHECK(std::abs(s.ci95_high - high) <= bound);
    }
}

TEST_CASE("the interval of five samples spans them, that of eleven the inner seven",
          "[statistics]") {
    // P(median of a resample <= x_(j)) = P(Binomial(n, j/n) >= (n+1)/2): 0.058 for n = 5, j = 1;
    // 0.007 and 0.060 for n = 11, j = 2 and 3. The 2.5 % quantile is far from those steps.
    const SampleStatistics five = camber::summarize(one_to(5), 21);
    CHECK(five.ci95_low == 1);
    CHECK(five.ci95_high == 5);
    const SampleStatistics eleven = camber::summarize(one_to(11), 21);
    CHECK(eleven.ci95_low == 3);
    CHECK(eleven.ci95_high == 9);
}

TEST_CASE("the interval of symmetric samples is symmetric on average", "[statistics]") {
    // For an even n, the two middle values of a resample must have the correct distance.
    for (const std::size_t n : {10UL, 11UL, 50UL}) {
        double middle = 0;
        constexpr int seeds = 100;
        for (int seed = 0; seed < seeds; ++seed) {
            const auto s = camber::summarize(one_to(n), static_cast<std::uint64_t>(seed));
            middle += (s.ci95_low + s.ci95_high) / 2 / seeds;
        }
        CHECK(middle == Approx(static_cast<double>(n + 1) / 2).margin(0.08));
    }
}

TEST_CASE("intervals cover the true median in about 95 % of repetitions", "[statistics]") {
    // 2000 repetitions: for a true coverage of 95 %, the standard error is 0.5 %. The percentile
    // interval of a median is discrete in small samples, hence the wider bounds.
    constexpr int repetitions = 2000;
    std::mt19937_64 engine(2024);
    for (const std::size_t n : {20UL, 51UL, 200UL}) {
        int covered = 0;
        for (int i = 0; i < repetitions; ++i) {
            const Samples samples = normal_samples(n, 1000, 20, engine);
            const SampleStatistics s = camber::summarize(samples, static_cast<std::uint64_t>(i));
            if (s.ci95_low <= 1000 && 1000 <= s.ci95_high) ++covered;
        }
        const double share = static_cast<double>(covered) / repetitions;
        INFO("n = " << n << ", covered " << share);
        CHECK(share >= 0.925);
        CHECK(share <= 0.975);
    }
}

TEST_CASE("a thousand samples are summarized in milliseconds", "[statistics]") {
    std::mt19937_64 engine(1);
    const Samples samples = normal_samples(1000, 100, 1, engine);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 20; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const SampleStatistics s = camber::summarize(samples, 1);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        REQUIRE(s.n == 1000);
        best = std::min(best, taken.count());
    }
    INFO("best of 20: " << best * 1e6 << " us");
    CHECK(best < 0.020);
}

}  // namespace statistics_test

namespace modes_test {

using camber::two_modes;

TEST_CASE("samples of two speeds are told, with their shares", "[statistics]") {
    std::vector<double> samples;
    for (int i = 0; i < 12; ++i) samples.push_back(1.0 + 0.001 * i);
    for (int i = 0; i < 4; ++i) samples.push_back(1.3 + 0.001 * i);
    const auto modes = two_modes(samples);
    REQUIRE(modes.has_value());
    CHECK(modes->share_of_slow == Approx(0.25));
    CHECK(modes->slow_over_fast == Approx(1.3).epsilon(0.01));
}

TEST_CASE("noise, outliers and few samples are no two speeds", "[statistics]") {
    std::mt19937 engine(1);
    std::normal_distribution<double> normal(1, 0.1);
    std::vector<double> noise;
    for (int i = 0; i < 200; ++i) noise.push_back(normal(engine));
    CHECK_FALSE(two_modes(noise).has_value());
    std::vector<double> outlier(20, 1.0);
    outlier.back() = 2;
    CHECK_FALSE(two_modes(outlier).has_value());
    CHECK_FALSE(two_modes(std::vector<double>{1, 1, 1, 2, 2, 2}).has_value());
    CHECK_FALSE(two_modes(std::vector<double>(20, 1.0)).has_value());
    // A gap of 1 % is within the usual variation between runs.
    std::vector<double> near(10, 1.0);
    near.insert(near.end(), 10, 1.01);
    CHECK_FALSE(two_modes(near).has_value());
}

}  // namespace modes_test
