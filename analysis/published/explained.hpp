// What a model of time makes of a published order: whether it explains it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/published/fate.hpp"

namespace camber::published {

// How often faster one is predicted to be than another, above 0.
struct PredictedRatio {
    double usual = 1;
    Interval interval;  // of everything that the model assumes and does not know
};

enum class Explained { explains, contradicts, cannot_tell, not_predicted };

// "explains it", "contradicts it", "cannot tell", "-".
std::string_view name(Explained explained);

// Of a printed ratio, which says faster, slower, or as fast within equal_share. Explained: all of
// the interval says the same. Contradicted: all of it says otherwise.
Explained explained(double printed, const std::optional<PredictedRatio>& predicted);

// Two variants that a source orders.
struct OrderedPair {
    double printed =
        1;  // how often faster the one; where only the direction is printed, any above 1
    double predicted = 1;
};

// Kendall's tau of the pairs that the source orders: those predicted in the printed order, less
// those in the other one, over all. Pairs printed as equal are left out. Nothing without pairs.
std::optional<double> kendalls_tau(const std::vector<OrderedPair>& pairs);

}  // namespace camber::published
