// What a comparison with the reference found, as a results file holds it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace camber {

// Maximum deviation of a flow from the expected one if cells are not compared one by one. Shares
// are of the larger of the two values. Absent: not limited.
struct FlowLimits {
    // Maximum deviation of `mass` from `supplied`, as a share.
    double mass_error = 0;
    // Cells covered by both / by either, at least.
    std::optional<double> jaccard = std::nullopt;
    // Largest difference of thickness, m.
    std::optional<double> largest_difference = std::nullopt;
    // Largest difference of the numbers of covered cells, as a share.
    std::optional<double> covered_difference = std::nullopt;
    // Largest difference of the times, as a share.
    std::optional<double> time_difference = std::nullopt;
    // They hold for expected flows with at least this many covered cells; smaller ones are compared
    // cell by cell all the same.
    std::int64_t least_cells = 0;
};

// How far one flow is from another as a whole. A cell is covered where its thickness is above 0;
// `either` below: cells that one flow covers at least.
struct FlowStatistics {
    std::int64_t expected_cells = 0;  // that the expected flow covers
    std::int64_t covered_cells = 0;   // that the actual flow covers
    std::int64_t differing_cells = 0;
    std::int64_t invalid_cells = 0;  // whose actual thickness is no finite number; not recorded
    double jaccard = 1;              // cells that both cover / either
    double share_within_tenth = 1;   // of either, off by at most 10 % of the expected thickness
    double largest_difference = 0;   // of thickness, m; invalid cells left out
    double mean_difference = 0;      // over either, m; the same
};

// Shares are relative_difference() (analysis/flow_statistics.hpp).
struct FlowDifference {
    FlowStatistics cells;
    double mass_error = 0;                  // of its mass from what it was supplied with
    double mass_difference = 0;             // of the two masses
    std::optional<double> time_difference;  // of the two times, where they depend on the flow
    std::optional<double> event_fit;        // with the real event, where it is known
};

// Several runs of one variant, each compared with the first: the worst of every figure.
struct FlowSpread {
    int runs = 1;
    FlowDifference worst;  // without mass_error and event_fit, which belong to one run

    void add(const FlowDifference& from_first);
};

// A cell's value as it is reported: exact for integers, a text where it is no number.
using CellValue = std::variant<std::int64_t, double, std::string>;

// The value of a cell that still has the poison that it had before the launch.
inline constexpr const char* never_written = "never written";

struct DifferingCell {
    std::string field;
    std::int64_t row = 0;
    std::int64_t column = 0;
    CellValue expected;
    CellValue actual;
};

// Every cell of a variant's result against the plain reference; a flow that has taken another
// course, as a whole. Absent: the file is older than the figure.
struct Verification {
    enum class Status { passed, failed, skipped };
    enum class Method { cells, statistics };  // what decided

    Status status = Status::skipped;
    std::int64_t compared_cells = 0;
    std::int64_t differing_cells = 0;
    // A cell passes where |actual - expected| <= tolerance + relative_tolerance * |expected|, the
    // sum of a field's cells where it differs by at most total_tolerance of the expected sum.
    double tolerance = 0;
    std::map<std::string, double, std::less<>> tolerance_of;  // of single fields, in its place
    std::optional<double> relative_tolerance;
    std::optional<double> total_tolerance;
    std::optional<double> tolerated_outliers;       // a share of cells that may be farther off
    std::optional<std::int64_t> outlying_cells;     // that were, and were let pass
    std::optional<double> largest_difference;       // between cells; only where not bit-equal
    int generations = 0;                            // computed before the comparison
    std::optional<DifferingCell> first_difference;  // in row-major order
    std::string unwritten;  // a clause about memory that was never written; not recorded

    std::optional<Method> method;
    std::optional<FlowDifference> statistics;  // of workloads whose states are flows
    std::optional<FlowLimits> limits;          // where the flow is judged as a whole
    std::vector<std::string> exceeded;         // what is beyond the limits, a phrase each
    std::optional<FlowSpread> spread;          // where runs of the variant differ

    bool passed() const { return status == Status::passed; }
    bool by_statistics() const { return method == Method::statistics; }
    // Whether equal means bit-equal.
    bool exact() const {
        return tolerance == 0 && relative_tolerance.value_or(0) == 0 &&
               total_tolerance.value_or(0) == 0 && tolerance_of.empty();
    }
};

std::string_view name(Verification::Status status);  // "passed"...

// Summary of a final state for results files.
struct FinalState {
    std::string quantity;  // "population" or "mass"
    double amount = 0;
    std::uint64_t checksum = 0;  // FNV-1a over the cells, row by row
    // The reference's account from start to end: "rained", "infiltrated".
    std::map<std::string, double> account = {};
};

}  // namespace camber
