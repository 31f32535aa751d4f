// Prediction of memory transactions and times, as result files store it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"

namespace camber::results {

// Model of a variant's first launch, or of one of its kernels.
struct ModelRecord {
    std::string arch;                    // compute capability of the rules: "9.0"
    std::optional<std::string> rules;    // by name
    std::optional<std::string> method;   // extrapolated, simulated or sampled
    std::optional<bool> data_dependent;  // true if counts depend on the input data
    // Counts and shares by name: "global_load_sectors". Counts are whole numbers.
    std::map<std::string, double> quantities;
    // With the counters of the same launch; absent: no counters were read.
    std::optional<bool> agrees;

    bool sampled() const { return method == "sampled"; }
};

// One source line with memory accesses.
struct SiteRecord {
    int site = 0;  // from 1, the most wasteful first
    std::string kernel;
    std::string place;  // "rule.hpp:31"
    std::string path;   // with the call path, innermost first
    std::string kind;   // "global load"
    std::int64_t requests = 0;
    std::optional<std::int64_t> sectors;     // for global and texture memory
    std::optional<std::int64_t> wavefronts;  // for shared and constant memory
    std::optional<std::int64_t> bank_conflicts;
    std::int64_t bytes_moved = 0;
    std::int64_t bytes_used = 0;
    double efficiency = 0;
    double share = 0;
};

struct BoundRecord {
    std::string resource;
    double seconds = 0;
    std::string basis;
};

// Predicted time of a launch, and its components.
struct TimeRecord {
    double predicted_seconds = 0;
    double low_seconds = 0;  // bounds of the interval
    double high_seconds = 0;
    std::string binding;              // resource with the largest component
    std::vector<std::string> doubts;  // reasons for uncertainty, a phrase each; empty: none
    std::vector<BoundRecord> parts;
};

// An element of `models` in a file of `camber model`.
struct ModelEntry {
    std::string variant;
    std::string case_name;  // key for comparisons between files; "": the variant's name
    Size size;
    std::string cell;
    std::string rule;  // "": the workload's usual one
    Boundary boundary = Boundary::dead;
    int generations_per_launch = 1;
    // Reason why it was skipped, in which case all following members are empty; "" if it was not.
    std::string reason;
    ModelRecord model;  // its quantities include bytes_moved and bytes_needed
    // Not in baselines:
    std::optional<std::vector<SiteRecord>> sites;
    std::optional<std::vector<BoundRecord>> bounds;
    std::optional<std::string> largest_bound;
    // If the device's ceilings are available and the time can be predicted.
    std::optional<TimeRecord> time;
};

}  // namespace camber::results
