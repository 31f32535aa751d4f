// How often the rule finds a difference where there is none: A/A comparisons of one file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/verdict.hpp"
#include "harness/record/document.hpp"

namespace camber::comparison {

// Two halves of what was measured of one case.
struct SelfPair {
    std::string name;   // of the case
    std::string split;  // "processes", "visits" or "samples"
    TimeComparison comparison;
    bool alarm() const {
        return comparison.verdict == Verdict::slower || comparison.verdict == Verdict::faster;
    }
    double effect() const;  // |ratio - 1|, the larger of both ways round
};

struct SelfTest {
    double threshold = 0;  // the one tested
    std::vector<SelfPair> pairs;
    std::size_t cases = 0;
    std::size_t alarms = 0;
    std::size_t undecided = 0;
    // Quantiles of the effect over the pairs.
    double median = 0, p90 = 0, p95 = 0, p99 = 0, largest = 0;
    // The smallest thresholds, rounded up to half a percent, at which none, and at most one in 50,
    // of the pairs would alarm; the second absent with fewer than 50 pairs.
    double threshold_without_alarm = 0;
    std::optional<double> threshold_one_in_50;
    std::string summary() const;
};

// Splits the processes of each case in halves, in every way or in ten, or where there is one, its
// visits, or where there is one, its samples in the order measured; compares the halves; and counts
// the verdicts FASTER and SLOWER, which are all false. Pairs of one case share its data, so that
// they are not independent. The clock is not asked: the halves have one record of it. There are
// no pairs where no file has a case that can be split.
SelfTest self_test(const std::vector<results::Document>& files, const TimeRule& rule);

}  // namespace camber::comparison
