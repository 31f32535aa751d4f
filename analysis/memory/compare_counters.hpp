// Compares a launch's predicted quantities with the corresponding hardware counters.
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
    std::string metric;  // named as on GH100
    double predicted = 0;
    double measured = 0;
    // Absent if the two must be equal. Otherwise the relative amount by which the measured value
    // may exceed the prediction; `may_be_less` permits smaller values, too.
    std::optional<double> tolerance;
    bool may_be_less = false;
    bool agrees = false;
};

// Tolerance by which a wavefront counter may exceed the predicted passes. The counters also include
// cycles in which shared memory lost the data path to another access: on an H200 (2048 x 2048 Life,
// 36 variants, results/h200/life-counters.json) 1.2 to 6.9 % for loads and 0.7 to 8.7 % for stores,
// depending on the kernel, although the bank conflicts alone are predicted exactly. They vary from
// run to run: thread_per_input/16x16/n1 on 1000 x 777 cells had 2.1 % more stores on an H200 and
// 11.04 % more on an H100, on both the largest excess of all variants with data-independent
// addresses.
inline constexpr double wavefront_tolerance = 0.12;
// Stores lose the path to loads of other blocks as well. In kernels with many loads per store, this
// is more than 12 % of the few stores: tiles of a Gaussian of radius 5 and 15 had 30 to 52 % more
// on an H100 (results/h100/gaussian-counters*.json), which is 0.2 to 1.3 % of the loads. Stores may
// therefore exceed the prediction by this share of all shared-memory wavefronts.
inline constexpr double lost_path_share = 0.02;

// Compares those quantities of `model` for which `counters` (by GH100's metric names, of the same
// launch) has the counter.
//
// Requests and sectors of global loads and stores must be equal to the last one: the counters are
// defined by the rule that predicts them. Wavefronts of shared memory may exceed the prediction by
// wavefront_tolerance, those of stores by lost_path_share if that is more. Those of shared loads
// may also be fewer: where a thread computes several neighboring cells the compiler keeps words in
// registers that the source reads again, which the model does not know (two_generation_const/64x4:
// 54 load instructions for 90 reads in the source, 23 % fewer wavefronts).
std::vector<CounterComparison> compare_with_counters(const std::map<std::string, double>& model,
                                                     const std::map<std::string, double>& counters);

// True if all comparisons agree.
bool all_agree(const std::vector<CounterComparison>& comparisons);

}  // namespace camber
