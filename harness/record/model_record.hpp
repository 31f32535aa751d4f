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

// The model of a variant's first launch, or of one of its kernels.
struct ModelRecord {
    std::string arch;                    // the compute capability whose rules hold: "9.0"
    std::optional<std::string> rules;    // by name
    std::optional<std::string> method;   // extrapolated, simulated or sampled
    std::optional<bool> data_dependent;  // whether other data gave other counts
    // Counts and shares by name: "global_load_sectors". Counts are whole numbers.
    std::map<std::string, double> quantities;
    std::optional<bool> agrees;  // with the counters of the same launch; absent: none were read

    bool sampled() const { return method == "sampled"; }
};

// One line of source that touches memory.
struct SiteRecord {
    int site = 0;  // from 1, the most wasteful first
    std::string kernel;
    std::string place;  // "rule.hpp:31"
    std::string path;   // with the callers, innermost first
    std::string kind;   // "global load"
    std::int64_t requests = 0;
    std::optional<std::int64_t> sectors;     // of global and texture memory
    std::optional<std::int64_t> wavefronts;  // of shared and constant memory
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

// The predicted time of a launch, and what it is made of.
struct TimeRecord {
    double predicted_seconds = 0;
    double low_seconds = 0;  // ends of the interval
    double high_seconds = 0;
    std::string binding;              // the resource of the largest part
    std::vector<std::string> doubts;  // why it is uncertain, a phrase each; empty: it is not
    std::vector<BoundRecord> parts;
};

// An element of `models` in a file of `camber model`.
struct ModelEntry {
    std::string variant;
    std::string case_name;  // by which files are compared; "": the variant's
    Size size;
    std::string cell;
    std::string rule;  // "": the workload's usual one
    Boundary boundary = Boundary::dead;
    int generations_per_launch = 1;
    std::string reason;  // why it was skipped, and all that follows is absent; "" where it was not
    ModelRecord model;   // bytes_moved and bytes_needed are among its quantities
    // Not in baselines:
    std::optional<std::vector<SiteRecord>> sites;
    std::optional<std::vector<BoundRecord>> bounds;
    std::optional<std::string> largest_bound;
    std::optional<TimeRecord> time;  // with a device's limits, where it could be predicted
};

}  // namespace camber::results
