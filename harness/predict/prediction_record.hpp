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

// Quantities of a whole prediction: bytes moved, bytes needed, and bounds on its time.

// Bytes that global, texture and local accesses move between the threads and the first level of
// memory.
std::int64_t bytes_moved(const Prediction& prediction);

// Bytes that the launch's generations need: each generation reads every input cell once and writes
// every output cell once. A launch of several generations may move fewer bytes.
double bytes_needed(const Prediction& prediction, const Workload& workload);

// Quantities of a launch as results files name them: the quantities of its counts, and
//
// - launches: number of kernels;
// - block_distinct_bytes: distinct bytes of each block in whole sectors, summed: between L1 and L2;
// - compulsory_dram_bytes: distinct bytes of the largest kernel in whole sectors (omitted if
//   the launch was sampled);
// - non_redundant_share: distinct bytes read / bytes requested, of the largest kernel (omitted if
//   the launch was sampled);
// - if the launch was sampled, sampled_blocks, and `..._low` and `..._high` for the requests,
//   sectors and wavefronts.
std::map<std::string, double> quantities(const Prediction& prediction);

// Sum of the bounds of all kernels, which run one after another. The DRAM bound is the largest
// kernel's alone, because a later kernel may find its data in L2; absent if distinct bytes are
// unknown.
Bounds bounds_of(const Prediction& prediction, const HardwareLimits& limits);

// Prediction by call site and kind of access: the table that shows which source line causes the
// traffic.
struct SiteRow {
    int number = 0;  // from 1, in the order of site_rows()
    std::size_t kernel = 0;
    int site = 0;
    Space space = Space::global;
    Operation operation = Operation::load;
    std::int64_t requests = 0;  // instructions, if the access is served in passes
    std::int64_t sectors = 0;   // 0 if the access is served in passes
    std::int64_t passes = 0;    // over banks, or over addresses in constant memory
    std::int64_t conflicts = 0;
    std::int64_t bytes_moved = 0;  // shared memory: passes over all banks
    std::int64_t bytes_used = 0;   // shared memory: minimum passes over all banks
    double share = 0;              // fraction of all bytes that this space moves in all kernels

    std::int64_t bytes_wasted() const { return bytes_moved - bytes_used; }
    double efficiency() const;   // bytes_used / bytes_moved
    double per_request() const;  // sectors, or passes
};

// "global load", "shared store", ...
std::string kind(const SiteRow& row);

// Rows sorted by wasted bytes, then by bytes moved, in descending order. A pass over the banks of
// shared memory counts as the bytes that all banks deliver, because both kinds of access share one
// data path.
std::vector<SiteRow> site_rows(const Prediction& prediction);

// Predictions in the form that files store.

// `comparisons`: with the counters of the same launch; empty if they were not read.
results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons);

// Entry of a variant that cannot be modeled.
results::ModelEntry skipped_entry(const Variant& variant, const Problem& problem,
                                  const std::string& reason);
// Entry without call sites and bounds, as baseline files store it.
results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload);
// Entry with call sites and `bounds`, which may be empty.
results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload,
                                const Bounds& bounds);

}  // namespace camber
