// A launch's predicted quantities beside the hardware counters that correspond to them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"

namespace camber {

// The quantities of results files, by name: global_load_requests, global_load_sectors,
// global_store_requests, ..., shared_load_wavefronts, ...
std::map<std::string, double> quantities(const AccessCounts& total);

struct CounterComparison {
    std::string quantity;
    std::string metric;  // as GH100 names it
    double predicted = 0;
    double measured = 0;
    // Largest share of the predicted value by which the measured one may exceed it; absent where
    // the two must be equal.
    std::optional<double> tolerance;
    bool agrees = false;
};

// Compares those quantities of `model` for which `counters` (by GH100's metric names, of the same
// launch) has the counter, in the order of the names.
//
// Equal, to the last one, must be requests and sectors of global loads and stores: the counters are
// defined by the rule that predicts them.
//
// E: tolerance text
std::vector<CounterComparison> compare_with_counters(const std::map<std::string, double>& model,
                                                     const std::map<std::string, double>& counters);

// Whether all of a list agree.
bool all_agree(const std::vector<CounterComparison>& comparisons);

}  // namespace camber
