// Stopping rule on synthetic samples of known distributions.
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/measure/study.hpp"
#include "tests/catch.hpp"

namespace stopping_rule_test {

namespace {

using camber::ConfidenceParameters;
using camber::ConfidenceRule;
using camber::SampleStatistics;

struct Outcome {
    std::string reason;
    std::vector<double> samples;
};

// Takes samples until the rule stops. Each sample takes `seconds_each`; by default, time is not
// limited.
Outcome sample(ConfidenceRule& rule, const std::function<double(std::size_t)>& source,
               double seconds_each = 1e-6) {
    Outcome outcome;
    while (true) {
        outcome.samples.push_back(source(outcome.samples.size()));
        const std::size_t n = outcome.samples.size();
        const auto verdict = rule.verdict(outcome.samples, static_cast<double>(n) * seconds_each);
        if (verdict) {
            outcome.reason = *verdict;
            return outcome;
        }
        if (n == 100000) throw std::logic_error("the rule does not stop");
    }
}

Outcome sample(const std::function<double(std::size_t)>& source, double seconds_each = 1e-6) {
    ConfidenceRule rule;
    return sample(rule, source, seconds_each);
}

}  // namespace

TEST_CASE("constant samples converge at the minimum", "[portable][stopping]") {
    const Outcome outcome = sample([](std::size_t) { return 100.0; });
    CHECK(outcome.reason == "converged");
    CHECK(outcome.samples.size() == 6);
}

TEST_CASE("steady samples converge as soon as their spread allows", "[portable][stopping]") {
    std::mt19937_64 engine(1);
    // Half-width of the median's interval: about 1.96 * 1.2533 * deviation / sqrt(n).
    SECTION("a deviation of 0.1 % is narrow enough at the minimum") {
        std::normal_distribution<double> normal(100, 0.1);
        const Outcome outcome = sample([&](std::size_t) { return normal(engine); });
        CHECK(outcome.reason == "converged");
        CHECK(outcome.samples.size() == 6);
    }
    SECTION("a deviation of 2 % needs about 100 samples") {
        std::normal_distribution<double> normal(100, 2);
        const Outcome outcome = sample([&](std::size_t) { return normal(engine); });
        CHECK(outcome.reason == "converged");
        CHECK(outcome.samples.size() > 30);
        CHECK(outcome.samples.size() < 200);
        const SampleStatistics s = camber::summarize(outcome.samples, 0);
        CHECK((s.ci95_high - s.ci95_low) / 2 <= 0.005 * s.median);
    }
    SECTION("a deviation of 20 % needs more than the limit") {
        std::normal_distribution<double> normal(100, 20);
        const Outcome outcome = sample([&](std::size_t) { return normal(engine); });
        CHECK(outcome.reason == "sample limit");
        CHECK(outcome.samples.size() == 1000);
    }
}

TEST_CASE("two equally frequent modes rarely converge", "[portable][stopping]") {
    // The interval spans both modes unless chance has favored one so far. Then a rule that sees
    // only the interval stops: a limit of the method, which this test documents.
    int at_limit = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::mt19937_64 engine(seed);
        std::bernoulli_distribution slow(0.5);
        const Outcome outcome = sample([&](std::size_t) { return slow(engine) ? 110.0 : 100.0; });
        if (outcome.reason == "sample limit") {
            ++at_limit;
            continue;
        }
        CHECK(outcome.reason == "converged");
        const double median = camber::median(outcome.samples);
        CHECK((median == 100 || median == 110));
    }
    CHECK(at_limit > 20);
}

TEST_CASE("a rare second mode does not keep the first from converging", "[portable][stopping]") {
    std::mt19937_64 engine(3);
    std::bernoulli_distribution slow(0.1);
    std::normal_distribution<double> noise(0, 0.5);
    const auto source = [&](std::size_t) { return (slow(engine) ? 150.0 : 100.0) + noise(engine); };
    const Outcome outcome = sample(source);
    CHECK(outcome.reason == "converged");
    CHECK(outcome.samples.size() < 100);
    CHECK(camber::median(outcome.samples) == Approx(100).epsilon(0.005));
}

TEST_CASE("a fast drift does not converge, a slow one is not seen", "[portable][stopping]") {
    SECTION("1 % per sample") {
        const Outcome outcome =
            sample([](std::size_t i) { return 100.0 + static_cast<double>(i); });
        CHECK(outcome.reason == "sample limit");
        CHECK(outcome.samples.size() == 1000);
    }
    SECTION("0.01 % per sample") {
        const Outcome outcome =
            sample([](std::size_t i) { return 100.0 + 0.01 * static_cast<double>(i); });
        CHECK(outcome.reason == "converged");
        CHECK(outcome.samples.size() == 6);
    }
}

TEST_CASE("a heavy tail does not keep the median from converging", "[portable][stopping]") {
    // A Pareto distribution with exponent 1 has no mean; a tenth of the samples is more than 1 %
    // above the floor.
    std::mt19937_64 engine(4);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto source = [&](std::size_t) { return 100 + 0.1 / (1 - uniform(engine)); };
    const Outcome outcome = sample(source);
    CHECK(outcome.reason == "converged");
    CHECK(outcome.samples.size() < 100);
    CHECK(camber::median(outcome.samples) == Approx(100.2).epsilon(0.005));

    // With the noise of a Cauchy distribution it takes longer, but also ends at the median.
    std::cauchy_distribution<double> cauchy(100, 2);
    const Outcome wild = sample([&](std::size_t) { return cauchy(engine); });
    CHECK(wild.reason == "converged");
    CHECK(wild.samples.size() > 20);
    CHECK(camber::median(wild.samples) == Approx(100).epsilon(0.01));
}

TEST_CASE("the time budget ends sampling", "[portable][stopping]") {
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal(100, 20);
    const auto noisy = [&](std::size_t) { return normal(engine); };
    SECTION("in the middle") {
        const Outcome outcome = sample(noisy, 0.02);
        CHECK(outcome.reason == "time budget");
        CHECK(outcome.samples.size() == 50);
    }
    SECTION("below the minimum of samples") {
        const Outcome outcome = sample(noisy, 0.3);
        CHECK(outcome.reason == "time budget");
        CHECK(outcome.samples.size() == 4);
    }
    SECTION("after one sample at the earliest") {
        CHECK(sample(noisy, 5).samples.size() == 1);
        ConfidenceRule rule;
        CHECK_FALSE(rule.verdict({}, 5).has_value());
    }
    SECTION("but convergence in the last look is reported as such") {
        const Outcome outcome = sample([](std::size_t) { return 100.0; }, 0.1);
        CHECK(outcome.reason == "converged");
        CHECK(outcome.samples.size() == 6);
    }
}

TEST_CASE("parameters are obeyed and checked", "[portable][stopping]") {
    std::mt19937_64 engine(6);
    std::normal_distribution<double> normal(100, 2);
    const auto source = [&](std::size_t) { return normal(engine); };

    ConfidenceRule wide({.relative_half_width = 0.05});
    CHECK(sample(wide, source).samples.size() == 6);
    ConfidenceRule patient({.relative_half_width = 0.05, .minimum_samples = 77});
    CHECK(sample(patient, source).samples.size() == 77);
    ConfidenceRule brief({.relative_half_width = 1e-9, .maximum_samples = 33});
    const Outcome outcome = sample(brief, source);
    CHECK(outcome.reason == "sample limit");
    CHECK(outcome.samples.size() == 33);

    CHECK_THROWS_AS(ConfidenceRule({.relative_half_width = 0}), std::invalid_argument);
    CHECK_THROWS_AS(ConfidenceRule({.budget_seconds = -1}), std::invalid_argument);
    CHECK_THROWS_AS(ConfidenceRule({.minimum_samples = 0}), std::invalid_argument);
    CHECK_THROWS_AS(ConfidenceRule({.maximum_samples = 5}), std::invalid_argument);
}

TEST_CASE("one rule serves several cases in turn", "[portable][stopping]") {
    std::mt19937_64 engine(7);
    std::normal_distribution<double> normal(100, 20);
    ConfidenceRule rule;
    CHECK(sample(rule, [&](std::size_t) { return normal(engine); }).samples.size() == 1000);
    CHECK(sample(rule, [](std::size_t) { return 1.0; }).samples.size() == 6);
}

TEST_CASE("stopping by width costs little of the interval's coverage", "[portable][stopping]") {
    // Stopping at the first narrow interval favors intervals that are too narrow, so somewhat
    // under 95 % is right: sequential intervals reach the nominal share only as the wanted width
    // vanishes (Chow and Robbins 1965). The standard error of 400 repetitions is 1.5 %.
    constexpr int repetitions = 400;
    std::mt19937_64 engine(8);
    std::normal_distribution<double> normal(100, 2);
    int covered = 0;
    for (int i = 0; i < repetitions; ++i) {
        ConfidenceRule rule({.seed = static_cast<std::uint64_t>(i)});
        const Outcome outcome = sample(rule, [&](std::size_t) { return normal(engine); });
        CHECK(outcome.reason == "converged");
        const SampleStatistics s =
            camber::summarize(outcome.samples, static_cast<std::uint64_t>(i));
        if (s.ci95_low <= 100 && 100 <= s.ci95_high) ++covered;
    }
    const double share = static_cast<double>(covered) / repetitions;
    INFO("covered " << share);
    CHECK(share >= 0.85);
    CHECK(share <= 0.97);
}

}  // namespace stopping_rule_test
