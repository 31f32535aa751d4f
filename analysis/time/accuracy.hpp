// Accuracy of predicted times: errors and rank correlation against measured times.
#pragma once

#include <string>
#include <vector>

namespace camber {

struct TimedPrediction {
    std::string variant;
    std::string technique;
    double measured = 0;  // of a generation; any unit, the same for all
    double predicted = 0;
    double low = 0;
    double high = 0;
    bool uncertain = false;
    int generations = 1;  // of a launch

    double ratio() const { return predicted / measured; }
    double error() const;  // |predicted / measured - 1|
};

// Accuracy of the predictions for a set of variants on one board and one device.
struct Accuracy {
    int variants = 0;
    double tau = 0;            // Kendall's tau-b of measured and predicted: 1 the same order
    double order_apart = 0;    // Somers' d: tau of the pairs whose measured times differ
    double pick = 1;           // time of the variant with the shortest prediction / the best time
    double median_error = 0;   // of error()
    double ninth_error = 0;    // the error that nine in ten stay below
    double within = 0;         // share with an error of at most `usual_error`
    double in_interval = 0;    // share of the measured times that lie in their interval
    int uncertain = 0;         // variants
    double certain_error = 0;  // median of the variants that are not uncertain
};
inline constexpr double usual_error = 0.35;
// Times closer than this share make no difference, as for published statements.
inline constexpr double no_difference = 0.03;

// `predictions` is not empty.
Accuracy accuracy(const std::vector<TimedPrediction>& predictions);

// Kendall's tau-b of two lists of equal length, at least two; 0 where all of one are equal (Kendall
// 1945, "The treatment of ties in ranking problems").
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
