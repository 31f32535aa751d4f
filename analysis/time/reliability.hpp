// Reliability of predicted times, calibrated on committed boards: intervals, the share of pairs
// that are in their predicted order, and the set of variants among which the fastest one is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/time/kernel_time.hpp"

namespace camber {

// Sets the interval that should contain 95 % of the measured times of such predictions: double
// conformal prediction (Dunn, Wasserman and Ramdas 2023, "Distribution-Free Prediction Sets for
// Two-Layer Hierarchical Models") on the ratios of measured to predicted times of the development
// boards, separately by the resource that binds the launch (Mondrian: Vovk, Gammerman and Shafer
// 2005, "Algorithmic Learning in a Random World"). Uncertain predictions are too few per board;
// theirs is split conformal prediction over all variants (Lei, G'Sell, Rinaldo, Tibshirani and
// Wasserman 2018, "Distribution-Free Predictive Inference for Regression").
void set_interval(PredictedTime& time);

// Share of pairs in their predicted order, among pairs of certain predictions on held-out boards
// whose longer time is about `ratio` times the shorter one.
double share_in_order(double ratio);

// Pairs predicted at least this far apart are in their predicted order in 95 % of all cases.
double decisive_ratio();

// Numbers of the predictions that are too close to the shortest one to decide between them, the
// shortest first. `seconds` must not be empty.
std::vector<std::size_t> fastest_candidates(const std::vector<double>& seconds);

// "The fastest is life/row_stream/64x4: of pairs predicted this far apart, 97 % were in this
// order.", or the set that contains the fastest one. `names` and `seconds` belong together; at
// least one.
std::string pick_sentence(const std::vector<std::string>& names,
                          const std::vector<double>& seconds);

}  // namespace camber
