// The quantities of a whole prediction: bytes moved against bytes needed, and bounds on its time.
#pragma once

#include <map>
#include <string>

#include "analysis/memory/bounds.hpp"
#include "harness/predict/prediction.hpp"

namespace camber {

// Bytes that global, texture and local accesses move between the threads and the first level of
// memory.
std::int64_t bytes_moved(const Prediction& prediction);

// Bytes that the launch's generations need: each input cell read and each output cell written once.
// A launch of several generations may move less.
double bytes_needed(const Prediction& prediction, const Workload& workload);

// What results files have of a launch, by name: the quantities of its counts, and
//
// - launches: how many kernels;
// - block_distinct_bytes: distinct bytes of each block in whole sectors, summed: between L1 and L2;
// - compulsory_dram_bytes: distinct bytes of the largest kernel in whole sectors (unknown, and left
//   out, where the launch was sampled);
// - non_redundant_share: distinct bytes read / bytes asked for, of the largest kernel (the same);
// - where the launch was sampled, sampled_blocks, and `..._low` and `..._high` for the requests,
//   sectors and wavefronts.
std::map<std::string, double> quantities(const Prediction& prediction);

// Bounds of all kernels, which run one after another, added. Of DRAM the largest kernel's alone: a
// later one may find in L2 what it needs; none where distinct bytes are not known.
Bounds bounds_of(const Prediction& prediction, const HardwareLimits& limits);

}  // namespace camber
