#include "analysis/compare/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/compare/comparison.hpp"
#include "harness/base/statistics.hpp"

namespace camber::comparison {

namespace {

using results::CaseRecord;
using Samples = std::vector<double>;
using Units = std::vector<Samples>;

constexpr std::size_t most_splits = 10;
constexpr std::size_t least_samples_to_split = 10;
constexpr double rounding = 0.005;

// Ways to choose half of n units, each complementary pair once: all, or `most_splits` random ones.
std::vector<std::vector<bool>> splits_of(std::size_t n, std::uint64_t seed) {
    std::vector<std::vector<bool>> splits;
    std::vector<bool> chosen(n, false);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(n / 2), true);
    do {
        if (n % 2 == 0 && !chosen[0]) break;  // the remaining ones are complements
        splits.push_back(chosen);
        if (n > 16 && splits.size() >= most_splits) break;
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    Draws draws(seed);
    if (n > 16)  // too many to enumerate: shuffle each
        for (auto& split : splits)
            for (std::size_t k = n; k > 1; --k) {
                const std::size_t other = draws.index(k);
                const bool swapped = split[k - 1];
                split[k - 1] = split[other];
                split[other] = swapped;
            }
    else
        for (std::size_t k = 0; k < splits.size() && k < most_splits; ++k)
            std::swap(splits[k], splits[k + draws.index(splits.size() - k)]);
    if (splits.size() > most_splits) splits.resize(most_splits);
    return splits;
}

Units visits_of(const results::ProcessTimes& process) {
    Units visits;
    auto next = process.samples_ns.begin();
    for (const std::size_t count : process.visits) {
        const auto end = next + static_cast<std::ptrdiff_t>(count);
        if (count > 0) visits.emplace_back(next, end);
        next = end;
    }
    return visits;
}

struct Splitting {
    const char* of = "";
    Units units;
    bool units_are_processes = false;
};

Splitting splitting_of(const CaseRecord& one) {
    const std::vector<results::ProcessTimes> times = times_by_process(one);
    Units processes;
    for (const auto& process : times)
        if (!process.samples_ns.empty()) processes.push_back(process.samples_ns);
    if (processes.size() > 1) return {"processes", processes, true};
    for (const auto& process : times)
        if (Units visits = visits_of(process); visits.size() > 1)
            return {"visits", std::move(visits), false};
    const Samples all = times_of(one);
    if (all.size() < least_samples_to_split) return {};
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    return {"samples", {Samples(all.begin(), middle), Samples(middle, all.end())}, false};
}

Timing half_of(const Splitting& splitting, const std::vector<bool>& split, bool chosen) {
    Units processes;
    for (std::size_t k = 0; k < split.size(); ++k) {
        if (split[k] != chosen) continue;
        const Samples& unit = splitting.units[k];
        if (splitting.units_are_processes || processes.empty())
            processes.push_back(unit);
        else
            processes.front().insert(processes.front().end(), unit.begin(), unit.end());
    }
    return {series_of(std::move(processes)), std::nullopt, std::nullopt};
}

double rounded_up(double share) {
    return rounding * std::max(1.0, std::ceil(share / rounding));
}

// Smallest threshold at which at most `alarms` pairs would alarm. A pair alarms if its interval
// excludes 1 and its effect exceeds the threshold.
double threshold_for(const std::vector<SelfPair>& pairs, std::size_t alarms) {
    std::vector<double> effects;
    for (const SelfPair& pair : pairs) {
        const Interval& interval = pair.comparison.time.interval;
        if (interval.low > 1 || interval.high < 1) effects.push_back(pair.effect());
    }
    if (effects.size() <= alarms) return rounding;
    std::ranges::sort(effects, std::greater());
    return rounded_up(effects[alarms]);
}

}  // namespace

double SelfPair::effect() const {
    const double ratio = comparison.time.ratio;
    return std::max(ratio, 1 / ratio) - 1;
}

std::string SelfTest::summary() const {
    return fmt::format(
        "{} A/A comparisons of {} cases at a threshold of {:.1f} %: {} false alarm{} ({:.1f} %), "
        "{} UNDECIDED; a threshold of {:.1f} % would have given none.",
        pairs.size(), cases, 100 * threshold, alarms, alarms == 1 ? "" : "s",
        100.0 * static_cast<double>(alarms) / static_cast<double>(pairs.size()), undecided,
        100 * threshold_without_alarm);
}

SelfTest self_test(const std::vector<results::Document>& files, const TimeRule& rule) {
    SelfTest test;
    test.threshold = rule.threshold;
    for (const results::Document& file : files)
        for (const CaseRecord& one : file.cases) {
            if (one.status != results::Status::ok || !timing_of(one)) continue;
            const Splitting splitting = splitting_of(one);
            if (splitting.units.size() < 2) continue;
            ++test.cases;
            for (const auto& split : splits_of(splitting.units.size(), rule.seed))
                test.pairs.push_back({one.name, splitting.of,
                                      compare_times(half_of(splitting, split, true),
                                                    half_of(splitting, split, false), rule)});
        }
    if (test.pairs.empty()) return test;

    std::vector<double> effects;
    for (const SelfPair& pair : test.pairs) {
        effects.push_back(pair.effect());
        test.alarms += pair.alarm();
        test.undecided += pair.comparison.verdict == Verdict::undecided;
    }
    test.median = quantile(effects, 0.5);
    test.p90 = quantile(effects, 0.9);
    test.p95 = quantile(effects, 0.95);
    test.p99 = quantile(effects, 0.99);
    test.largest = quantile(effects, 1);
    test.threshold_without_alarm = threshold_for(test.pairs, 0);
    if (test.pairs.size() >= 50)
        test.threshold_one_in_50 = threshold_for(test.pairs, test.pairs.size() / 50);
    return test;
}

}  // namespace camber::comparison
