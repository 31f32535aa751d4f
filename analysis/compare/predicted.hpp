// Predicted times in two files of models, side by side. They are information: what judges is what
// they follow from.
#pragma once

#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::compare {

// Of a generation.
struct PredictedTimeOf {
    double seconds = 0;
    double low = 0;
    double high = 0;
    std::string binding;
    bool uncertain = false;
};

struct PredictedPair {
    std::string name;  // "life/halo/64x4/align128/2048x2048/uint32/dead"
    PredictedTimeOf base;
    PredictedTimeOf changed;

    double ratio() const { return changed.seconds / base.seconds; }
    // Whether the intervals have nothing in common.
    bool apart() const { return changed.low > base.high || changed.high < base.low; }
};

struct PredictedTimes {
    std::string base_gpu;
    std::string changed_gpu;
    std::vector<PredictedPair> pairs;  // the largest ratio first

    bool empty() const { return pairs.empty(); }
    // "NVIDIA H200", or "NVIDIA H200 in BASE and NVIDIA H100 in NEW".
    std::string device() const;
};

// Of the models that both files have, with a time in each.
PredictedTimes predicted_times(const results::Document& base, const results::Document& changed);

}  // namespace camber::compare
