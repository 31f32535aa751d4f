// Report on results files as data. All pages and tables are generated from this structure.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/history/trend.hpp"
#include "analysis/memory/compare_counters.hpp"
#include "analysis/profile/facts.hpp"
#include "analysis/published/figures.hpp"
#include "analysis/timeline/quantities.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/timeline.hpp"
#include "harness/record/conditions.hpp"
#include "harness/record/document.hpp"

namespace camber::report {

using Value = std::optional<double>;

// Memory levels for which a roofline is drawn, in this order.
enum class Level { dram, l2, l1, shared };
inline constexpr std::array<const char*, 4> level_names = {"DRAM", "L2", "L1", "shared memory"};

// Traffic at one memory level, in bytes per cell and generation.
struct Traffic {
    Value bytes_per_cell;
    bool by_model = false;  // predicted because the file has no counters of this level
};

// Predicted time with its interval, in ns per generation.
struct PredictedRow {
    double ns = 0, low_ns = 0, high_ns = 0;
    std::string binding;  // resource with most of the time: "DRAM"
    bool uncertain = false;
};

// One case. Times are in ns per generation, or per iteration in Google Benchmark's files.
struct Row {
    std::string variant;    // without the workload; with the suffix ", cold" or ", graph" if
                            // applicable
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
    std::vector<results::Interval> intervals;     // of a run from the start; empty if not requested
    std::optional<overlap::Overlap> overlap;      // of a pass with transfers
    std::vector<profile::KernelTraffic> kernels;  // of multi-kernel launches; empty if not counted
    std::optional<PredictedRow> predicted;        // if the files include a model with times
};

inline constexpr std::size_t most_samples = 200;

// Upper bound of the update rate that is independent of the bytes moved.
struct FlatRoof {
    std::string name;  // "issue slots", "FP64", "launches"
    double cells_per_second = 0;
    bool estimate = false;
};

// Cases of one file that are ranked together: same device (or number of simultaneous devices),
// workload, board, cell and boundary.
struct Group {
    int file = 0;          // index into Report::files
    std::string device;    // GPU name, "2 x" GPU name, or processor name
    std::string backend;   // "cuda", "simt", "cpu"; "" for Google Benchmark's files
    std::string workload;  // "" for Google Benchmark's files
    std::int64_t columns = 0, rows_of_board = 0;
    std::string cell, boundary;
    std::string rule;  // "": the workload's default rule
    int radius = 0;    // neighborhood radius, if the workload's runs differ in it
    // False if the times are meaningless (simt backend); the rows then have no rank.
    bool timed = true;
    // True if no later file contains the same device, workload, board, cell, boundary and backend.
    bool newest = true;
    int devices = 1;  // number of devices that compute simultaneously
    // Copy bandwidth of all devices together, measured by the same run.
    Value copy_bytes_per_second;
    std::array<Value, 4> ceilings;  // bytes per second by Level
    std::optional<FlatRoof> flat_roof;
    std::vector<results::Activity> activity;  // lava activity, if a run in intervals was requested
    std::string baseline;                     // variant that speedups refer to; "" if unknown
    std::vector<Row> rows;                    // ranked rows by time, then the others as in the file

    std::string title() const;  // "life, 16384 x 16384, uint32"
    std::size_t count(results::Status status) const;
};

struct File {
    std::string name;    // path without the folders common to all files
    std::string device;  // GPU name, else processor name
    // Recorded properties of the machine and build, as label and value.
    std::vector<std::pair<std::string, std::string>> environment;
    std::string date;  // as in the file; "" if absent
    CeilingCurve copy_curve;
};

// One measured scaling series of one variant.
struct Scaling {
    int file = 0;
    scaling::Analysis analysis;
};

struct Report {
    std::vector<File> files;
    std::vector<Group> groups;  // by workload, board (larger ones first) and device
    std::vector<Scaling> scalings;
    std::vector<Timeline> timelines;
    std::vector<history::MachineTrend> history;  // of each machine, if a history was given
    std::vector<published::FigureBeside> figures;  // published figures beside measured lines
    std::vector<std::string> devices;  // distinct devices of the groups, in alphabetical order
};

// Family of a technique, by name; `other` if the name is unknown.
using FamilyOf = std::function<Family(std::string_view technique)>;

// Builds the report from documents with merged repetitions. If a group has several cases of the
// same variant, the one with the median time is used. Predicted times are attached to measured rows
// of the same variant, board and device, from any document.
Report build_report(const std::vector<results::Document>& documents, const FamilyOf& family_of);

// At most `most` of the values, ascending: evenly spaced order statistics including both ends.
std::vector<double> thinned(std::vector<double> values, std::size_t most);

// Findings in sentences: the few key findings that a page opens with, and the full summary.

std::string counted(std::size_t count, const char* thing);  // "1 case", "2 cases"

// Number of measured counters that match their predictions, over all groups.
struct CounterTally {
    std::size_t pairs = 0, equal = 0, within_tolerance = 0, deviating = 0;
};
CounterTally tally(const std::vector<Group>& groups);

// All findings: the fastest variant of each group; agreement with earlier files of the same group;
// failed and skipped cases with reasons; measured against predicted counters.
std::vector<std::string> summary(const Report& report);

// The key findings of a report, in sentences.

// Index in Report::groups of the data set that a report opens on: the one with the most variants;
// on a tie the newest file's, then the first. 0 if there is none.
std::size_t opening_group(const Report& report);

// Number of cases, files and data sets, and the devices.
std::string lead(const Report& report);

// At most five findings of one or two sentences each, in this order; a finding without data is
// omitted:
//   1. the fastest variant of the data set that the report opens on
//   2. the limiting resource of that variant, by the rule of profile::diagnose
//   3. the largest gain over a baseline, in all data sets
//   4. the noisiest timed case: largest interquartile range relative to the median
//   5. the number of verified, failed and skipped cases
std::vector<std::string> findings(const Report& report);

// Rows and roofs that build_report() computes.

// Converts a case to a row. `run`: the run that measured the case; may be null.
Row row_of(const results::CaseRecord& record, const results::Run* run);

// Flat roof of a roofline: the update rate that no case of a data set can exceed, however few bytes
// it moves. It is the lower of
//
//   arithmetic  issue slots, FP32 or FP64, whichever limits a case first; the highest of these
//               rates over all cases. Based on counted instructions, else estimated: each thread
//               executes the machine code of its kernel once, only for cases of one generation per
//               launch and at most 4 cells per thread, whose code has no long loops.
//   launches    for the case with the most cells per launch, one empty launch per kernel. Omitted
//               if more than 100 times above the fastest case.
//
// A rate below the fastest case is discarded: threads exited early, the counted launch had more
// work than the timed ones, or launches have become faster. Absent if no rate remains.
std::optional<FlatRoof> flat_roof(const results::Run& run,
                                  const std::vector<const results::CaseRecord*>& records);

// Tables: ranked for people as Markdown and LaTeX, complete for programs as CSV and JSON.

// One heading and one table per group, in GitHub-flavored Markdown.
std::string to_markdown(const Report& report);

// One longtable per group with the rules of booktabs, to be \input into a document that uses the
// packages booktabs and longtable.
std::string to_latex(const Report& report);

// One line per case under a single header with units in the column names, in RFC 4180 format except
// for line feeds. Numbers have all digits of the file; an absent value is an empty field.
std::string to_csv(const Report& report);

// The same as an array with one object per case; an absent value is null.
std::string to_json(const Report& report);

// Device, file and copy bandwidth of a data set, in a few words.
std::string origin_of(const Group& group, const Report& report);
// Table of a data set's cases with every column that has a value.
TextTable complete_table(const Group& group);

// Parts of a page that need no script: HTML tables, each with a caption. "" where a report has nothing
// for them.

// Fastest variant of each data set, from the newest file; "" for a single data set.
std::string data_sets_html(const Report& report);
// All cases of each data set, in a <details> element; the data set that the page opens on is open.
std::string cases_html(const Report& report);
// For data sets that differ only in size (radius), the cell rate of the fastest variant of each
// technique at every size (radius), from the newest file.
std::string sizes_html(const Report& report);
std::string radii_html(const Report& report);
std::string scalings_html(const Report& report);
// Properties of machine and build that all files share, and those in which the files differ.
std::string environment_html(const Report& report);
// Data sets that several files have: times of the newest file against those of each earlier one,
// and the variants whose median differs by more than `threshold`.
std::string repetitions_html(const Report& report, double threshold);

// The files, data sets and scalings of one device and workload.
Report part_of(const Report& report, const std::string& device, const std::string& workload);
// Device of a scaling series.
std::string device_of(const Report& report, const Scaling& scaling);

// Results as JSON for services that track benchmarks over commits

// Bencher Metric Format: for each case "latency", in ns per generation with its 95 % interval, and
// the deterministic quantities under names with hyphens: "global-load-sectors". Cases that failed
// or were skipped are omitted. Throws Error(usage) if no case has a value.
std::string to_bencher(const std::vector<results::Document>& documents);

// List for the tool customSmallerIsBetter of github-action-benchmark: one element for the time of
// each case, and one for each of its deterministic quantities. Same cases and errors.
std::string to_github_action_benchmark(const std::vector<results::Document>& documents);

}  // namespace camber::report
