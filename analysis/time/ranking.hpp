// Ranking of variants by predicted time: variants that are too slow to be worth measuring, the
// reason why one variant is faster than another, and the accuracy of predictions against measured
// times.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "analysis/time/kernel_time.hpp"

namespace camber {

// Predicted interval of a variant, in seconds per generation.
struct PredictedInterval {
    std::string variant;
    double seconds = 0;
    double low = 0;  // ends of the interval
    double high = 0;
    bool certain = true;
    int generations = 1;  // per launch
};

// `time`: of a launch that computes `generations` generations.
PredictedInterval predicted_interval(const std::string& variant, const PredictedTime& time,
                                     int generations);

// Minimum ratio of the skipped variant's lower bound to the best one's upper bound. Intervals
// sometimes miss the measured time: on twelve committed boards of an H200 and an H100 the fastest
// skipped variant takes 2.2 times as long as the best one
// (tests/results/committed_times_test.cpp). The factor was chosen with these times in view.
inline constexpr double dominated_factor = 1.5;

// Returns the reference for comparisons: among certain predictions, the one with the smallest upper
// bound, or nullptr if none is certain. Only variants with at most `generations` per launch count.
// Otherwise a few variants that compute many generations would exclude all that compute one, which
// published tables and questions need.
const PredictedInterval* best_predicted_interval(const std::vector<PredictedInterval>& all,
                                                 int generations = std::numeric_limits<int>::max());

// True if `one` is certain and even its lower bound is far above the best one's upper bound.
bool is_dominated(const PredictedInterval& one, const PredictedInterval& best);

// "predicted 4.07 ms per generation, at least 3.9 ms; life/row_stream/64x4 is predicted 513 us, at
// most 600 us"
std::string why_dominated(const PredictedInterval& one, const PredictedInterval& best);

// Explains why one predicted time is shorter than another.
struct NamedTime {
    std::string name;     // variant name
    PredictedTime time;   // of one launch
    int generations = 1;  // per launch

    double seconds() const { return time.seconds / generations; }
};

// Contribution of each part to `slow` - `fast`, in seconds per generation: the part's difference
// times the derivative of the total half-way between the two. Parts that hardly count in either
// contribute little. The order is that of TimeResource.
std::vector<std::pair<TimeResource, double>> contributions(const NamedTime& fast,
                                                           const NamedTime& slow);

// "life/halo/64x4 beats life/shared_tile/64x4 by 190 us a generation (1.19 times as fast): latency
// costs life/shared_tile/64x4 214 us more, and the L1 and shared memory that it saves is worth 60
// us." The last sentence says how often pairs predicted this far apart were in this order, or that
// a prediction is uncertain.
std::string reason(const NamedTime& a, const NamedTime& b);

// Accuracy of predicted times: errors and rank correlation against measured times.
struct TimedPrediction {
    std::string variant;
    std::string technique;
    double measured = 0;  // per generation, in any common unit
    double predicted = 0;
    double low = 0;
    double high = 0;
    bool uncertain = false;
    int generations = 1;  // per launch

    double ratio() const { return predicted / measured; }
    double error() const;  // |predicted / measured - 1|
};

// Accuracy of the predictions for a set of variants on one board and one device.
struct Accuracy {
    int variants = 0;
    double tau = 0;            // Kendall's tau-b of measured and predicted times: 1 for equal order
    double order_apart = 0;    // Somers' D: tau of the pairs whose measured times differ
    double pick = 1;           // measured time of the variant predicted fastest / the best measured
                               // time
    double median_error = 0;   // of error()
    double ninth_error = 0;    // 90th percentile of error()
    double within = 0;         // share with an error of at most `usual_error`
    double in_interval = 0;    // share of the measured times within their predicted interval
    int uncertain = 0;         // number of uncertain variants
    double certain_error = 0;  // median error of the certain variants
};
inline constexpr double usual_error = 0.35;
// Times that differ by less than this share count as equal, as for published statements.
inline constexpr double no_difference = 0.03;

// `predictions` must not be empty.
Accuracy accuracy(const std::vector<TimedPrediction>& predictions);

// Kendall's tau-b of two lists of equal length, at least two; 0 if all values of one list are equal
// (Kendall 1945, "The treatment of ties in ranking problems").
double kendall_tau(const std::vector<double>& x, const std::vector<double>& y);

// Somers' D: among pairs whose x differ by more than the share `equal`, (pairs that y orders alike
// - pairs that y orders the other way) / all such pairs (Somers 1962, "A new asymmetric measure of
// association for ordinal variables"). 0 if no x differ.
double somers_d(const std::vector<double>& x, const std::vector<double>& y, double equal);

// Median of predicted / measured by technique, the farthest from 1 first.
struct TechniqueResidual {
    std::string technique;
    int variants = 0;
    double ratio = 1;
};
std::vector<TechniqueResidual> residuals(const std::vector<TimedPrediction>& predictions);

}  // namespace camber
