// Self-test of the comparison rule: the rate of false verdicts in A/A comparisons of one file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/verdict.hpp"
#include "harness/record/document.hpp"

namespace camber::comparison {

// Two halves of the measurements of one case.
struct SelfPair {
    std::string name;   // case name
    std::string split;  // "processes", "visits" or "samples"
    TimeComparison comparison;
    bool alarm() const {
        return comparison.verdict == Verdict::slower || comparison.verdict == Verdict::faster;
    }
    double effect() const;  // |ratio - 1|, the larger of both directions
};

struct SelfTest {
    double threshold = 0;  // the tested threshold
    std::vector<SelfPair> pairs;
    std::size_t cases = 0;
    std::size_t alarms = 0;
    std::size_t undecided = 0;
    // Quantiles of the effect over the pairs.
    double median = 0, p90 = 0, p95 = 0, p99 = 0, largest = 0;
    // Smallest thresholds, rounded up to half a percent, at which none, or at most one in 50, of
    // the pairs would alarm; the second is absent for fewer than 50 pairs.
    double threshold_without_alarm = 0;
    std::optional<double> threshold_one_in_50;
    std::string summary() const;
};

// Splits the measurements of each case in halves, in all ways or in ten random ones; compares the
// halves; and counts the verdicts FASTER and SLOWER, all of which are false. Splits by process;
// with one process by visit; with one visit by sample, in order of measurement. Pairs of one case
// share its data and are not independent. Clocks are ignored, since both halves have the same
// record. The result has no pairs if no case can be split.
SelfTest self_test(const std::vector<results::Document>& files, const TimeRule& rule);

}  // namespace camber::comparison
