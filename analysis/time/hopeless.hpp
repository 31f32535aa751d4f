// Variants whose predicted times are so long that they need not be measured.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "analysis/time/kernel_time.hpp"

namespace camber {

// Predicted interval of a variant, in seconds per generation.
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

// Minimum ratio of the skipped variant's lower bound to the best one's upper bound. Intervals
// sometimes miss the measured time: on twelve committed boards of an H200 and an H100 the fastest
// skipped variant takes 2.36 times as long as the best one
// (tests/results/committed_times_test.cpp). The factor was chosen with these times in view.
inline constexpr double hopeless_factor = 1.5;

// Returns the reference for comparisons: among certain predictions, the one with the smallest upper
// bound, or nullptr if none is certain. Only variants with at most `generations` per launch count.
// Otherwise a few variants that compute many generations would exclude all that compute one, which
// published tables and questions need.
const Outlook* best_outlook(const std::vector<Outlook>& all,
                            int generations = std::numeric_limits<int>::max());

// True if `one` is certain and even its lower bound is far above the best one's upper bound.
bool is_hopeless(const Outlook& one, const Outlook& best);

// "predicted 4.07 ms per generation, at least 3.9 ms; life/row_stream/64x4 is predicted 513 us, at
// most 600 us"
std::string why_hopeless(const Outlook& one, const Outlook& best);

}  // namespace camber
