// Contents of a report on results files, as data. Every page and every table is made from this
// structure.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "analysis/profile/facts.hpp"
#include "analysis/timeline/quantities.hpp"
#include "harness/base/timeline.hpp"
#include "harness/record/conditions.hpp"
#include "harness/record/document.hpp"

namespace camber::report {

using Value = std::optional<double>;

// Levels of the memory hierarchy that a roofline is drawn for, in this order.
enum class Level { dram, l2, l1, shared };
inline constexpr std::array<const char*, 4> level_names = {"DRAM", "L2", "L1", "shared memory"};

// Bytes that cross a level, per cell and generation.
struct Traffic {
    Value bytes_per_cell;
    bool by_model = false;  // predicted: the file has no counters of this level
};

// A predicted time, in ns per generation, with the ends of its interval.
struct PredictedRow {
    double ns = 0, low_ns = 0, high_ns = 0;
    std::string binding;  // what most of it goes to: "DRAM"
    bool uncertain = false;
};

// Times are ns per generation; per iteration in Google Benchmark's files.
struct Row {
    std::string variant;    // without the workload, with ", cold" or ", graph" where that applies
    std::string technique;  // "" in Google Benchmark's files
    Family family = Family::other;
    results::Status status = results::Status::ok;
    std::string reason;
    std::optional<Verification::Status> verification;
    std::int64_t compared_cells = 0;
    int rank = 0;  // from 1 within the group; 0: not timed
    Value median_ns, ci_low_ns, ci_high_ns, min_ns, iqr_ns;
    std::size_t sample_count = 0;
    std::vector<double> samples_ns;  // ascending, thinned to at most most_samples
    Value cells_per_second, application_bytes_per_second, share_of_copy, step_share_of_copy,
        speedup;
    Value registers, occupancy, generations_per_launch;
    std::string limited_by;  // verdict of profile::diagnose, a few words; "" if unknown
    Value estimated_share;   // share of the ceiling of `limited_by`, if estimated without counters
    std::string limit;       // resource with the largest share of its ceiling: "L2"; "" if unknown
    Value limit_share;       // that share
    std::array<Traffic, 4> traffic;  // by Level
    std::vector<CounterComparison> counters;
    std::vector<results::Interval> intervals;  // of a run from the start; empty where not asked for
    std::optional<overlap::Overlap> overlap;   // of a pass with transfers, beside its pieces alone
    std::vector<profile::KernelTraffic> kernels;  // of a launch of several; empty where not counted
    std::optional<PredictedRow> predicted;  // where a file of models with times is among the files
};

inline constexpr std::size_t most_samples = 200;

// A limit of cell updates per second that does not depend on the bytes they move.
struct FlatRoof {
    std::string name;  // "issue slots", "FP64", "launches"
    double cells_per_second = 0;
    bool estimate = false;
};

// The cases of one file that may be ranked together: one device, or as many of them at once,
// workload, board, cell, boundary.
struct Group {
    int file = 0;          // into Report::files
    std::string device;    // the GPU's name, "2 x" that, or the processor's
    std::string backend;   // "cuda", "simt", "cpu"; "" for Google Benchmark's files
    std::string workload;  // "" for Google Benchmark's files
    std::int64_t columns = 0, rows_of_board = 0;
    std::string cell, boundary;
    std::string rule;  // "": the workload's usual one
    int radius = 0;    // of the neighbourhood, where runs of the workload differ in that
    // False where the times mean nothing (the simt backend): rows have no rank then.
    bool timed = true;
    // Whether no later file holds the same device, workload, board, cell, boundary and backend.
    bool newest = true;
    int devices = 1;  // that compute at once
    // Of all devices together, measured by the same run.
    Value copy_bytes_per_second;
    std::array<Value, 4> ceilings;  // bytes per second by Level
    std::optional<FlatRoof> flat_roof;
    std::vector<results::Activity> activity;  // of lava, where a run in intervals was asked for
    std::string baseline;   // the variant that speedups refer to; "" where unknown
    std::vector<Row> rows;  // ranked ones first, fastest first; then as in the file

    std::string title() const;  // "life, 16384 x 16384, uint32"
    std::size_t count(results::Status status) const;
};

struct File {
    std::string name;    // without the folders that all files share
    std::string device;  // the GPU's name; else the processor's
    // What was recorded of the machine and the build, as label and value.
    std::vector<std::pair<std::string, std::string>> environment;
    std::string date;  // as in the file; "" where absent
    CeilingCurve copy_curve;
};

// One measured scaling of one variant.
struct Scaling {
    int file = 0;
    scaling::Analysis analysis;
};

struct Report {
    std::vector<File> files;
    std::vector<Group> groups;  // by workload, board (larger ones first) and device
    std::vector<Scaling> scalings;
    std::vector<Timeline> timelines;
    std::vector<std::string> devices;  // distinct, of the groups, in the order of the alphabet
};

// The family of a technique by its name; `other` for one that is not known.
using FamilyOf = std::function<Family(std::string_view technique)>;

// The report of documents whose repetitions are merged. Cases of one group that have the same
// variant count as one, by the median of their times. Predicted times of a document's models stand
// beside the times that others measured of the same variants and boards, on the device that the
// models are of.
Report build_report(const std::vector<results::Document>& documents, const FamilyOf& family_of);

// At most `most` of the values, ascending: evenly spread order statistics with both ends.
std::vector<double> thinned(std::vector<double> values, std::size_t most);

}  // namespace camber::report
