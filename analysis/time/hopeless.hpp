// Which variants need not be measured, by their predicted times.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "analysis/time/kernel_time.hpp"

namespace camber {

// What is predicted of a variant, in seconds of a generation.
struct Outlook {
    std::string variant;
    double seconds = 0;
    double low = 0;  // ends of the interval
    double high = 0;
    bool certain = true;
    int generations = 1;  // of a launch
};

// `time`: of a launch, which computes so many generations.
Outlook outlook(const std::string& variant, const PredictedTime& time, int generations);

// How many times the best one's high end the low end of a hopeless one is, at least. Intervals miss
// the time now and then: on twelve committed boards of an H200 and an H100 the fastest variant that
// is left out takes 2.36 times as long as the best (tests/results/committed_times_test.cpp). The
// factor was chosen with these times in sight.
inline constexpr double hopeless_factor = 1.5;

// What others are compared with: of those that are certain, the one whose time ends earliest at
// worst. nullptr: none is certain. Only those count that compute no more than `generations` in a
// launch: else a few that compute many would leave out all forms that compute one, which tables and
// questions are about.
const Outlook* best_outlook(const std::vector<Outlook>& all,
                            int generations = std::numeric_limits<int>::max());

// Whether `one` is certain, and even the low end of its interval far above the best one's high end.
bool is_hopeless(const Outlook& one, const Outlook& best);

// "predicted 4.07 ms per generation, at least 3.9 ms; life/row_stream/64x4 is predicted 513 us, at
// most 600 us"
std::string why_hopeless(const Outlook& one, const Outlook& best);

}  // namespace camber
