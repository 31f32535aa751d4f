// Figures of a prediction: its quantities, a row for each call site, and the record for result
// files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/memory/compare_counters.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/model_record.hpp"

namespace camber {

// The quantities of a whole prediction: bytes moved against bytes needed, and bounds on its time.

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

// A prediction by call site and kind of access: the table that shows which line is the problem.
struct SiteRow {
    int number = 0;  // from 1, in the order of site_rows()
    std::size_t kernel = 0;
    int site = 0;
    Space space = Space::global;
    Operation operation = Operation::load;
    std::int64_t requests = 0;  // where it is served in passes: instructions
    std::int64_t sectors = 0;   // 0 where it is served in passes
    std::int64_t passes = 0;    // over banks, or over addresses of constant memory
    std::int64_t conflicts = 0;
    std::int64_t bytes_moved = 0;  // shared memory: passes over all banks
    std::int64_t bytes_used = 0;   // shared memory: the least passes over all banks
    double share = 0;              // of all bytes that this space moves, over all kernels

    std::int64_t bytes_wasted() const { return bytes_moved - bytes_used; }
    double efficiency() const;   // bytes_used / bytes_moved
    double per_request() const;  // sectors, or passes
};

// "global load", "shared store", ...
std::string kind(const SiteRow& row);

// Most wasted bytes first, then most bytes moved. A pass over the banks of shared memory counts as
// the bytes that all banks deliver: they take the same data path as those of global memory.
std::vector<SiteRow> site_rows(const Prediction& prediction);

// Predictions as files hold them.

// `comparisons`: with the counters of the same launch; empty where they were not read.
results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons);

// Of a variant that cannot be modelled.
results::ModelEntry skipped_entry(const Variant& variant, const Problem& problem,
                                  const std::string& reason);
// Without call sites and bounds, as baselines have it.
results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload);
// With them. `bounds` may be empty.
results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload,
                                const Bounds& bounds);

}  // namespace camber
