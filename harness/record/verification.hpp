// Result of a comparison with the reference, as stored in result files.
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
// are relative to the larger of the two values. Absent: not limited.
struct FlowLimits {
    // Maximum deviation of `mass` from `supplied`, as a share.
    double mass_error = 0;
    // Minimum of cells covered by both flows / cells covered by either.
    std::optional<double> jaccard = std::nullopt;
    // Maximum thickness difference, m.
    std::optional<double> largest_difference = std::nullopt;
    // Maximum difference of the numbers of covered cells, as a share.
    std::optional<double> covered_difference = std::nullopt;
    // Maximum difference of the times, as a share.
    std::optional<double> time_difference = std::nullopt;
    // Minimum number of covered cells in the expected flow for these limits; smaller flows are
    // compared cell by cell.
    std::int64_t least_cells = 0;
};

// Deviation of one flow from another as a whole. A cell is covered if its thickness is above 0;
// `either` below: number of cells covered by at least one flow.
struct FlowStatistics {
    std::int64_t expected_cells = 0;  // covered by the expected flow
    std::int64_t covered_cells = 0;   // covered by the actual flow
    std::int64_t differing_cells = 0;
    std::int64_t invalid_cells = 0;  // with a NaN or infinite actual thickness; not recorded
    double jaccard = 1;              // cells covered by both / either
    // Share of `either` that deviates by at most 10 % of the expected thickness.
    double share_within_tenth = 1;
    double largest_difference = 0;  // of thickness, m; without invalid cells
    double mean_difference = 0;     // over `either`, m; without invalid cells
};

// Shares are relative_difference() (analysis/flow_statistics.hpp).
struct FlowDifference {
    FlowStatistics cells;
    double mass_error = 0;                  // between its mass and the supplied mass
    double mass_difference = 0;             // between the two masses
    std::optional<double> time_difference;  // between the two times, if they depend on the flow
    std::optional<double> event_fit;        // with the real event, if its extent is known
};

// Several runs of one variant, each compared with the first: the worst value of every figure.
struct FlowSpread {
    int runs = 1;
    FlowDifference worst;  // without mass_error and event_fit, which belong to one run

    void add(const FlowDifference& from_first);
};

// A cell's value as reported: exact for integers, a string for NaN and infinity.
using CellValue = std::variant<std::int64_t, double, std::string>;

// Value of a cell that still contains the poison from before the launch.
inline constexpr const char* never_written = "never written";

struct DifferingCell {
    std::string field;
    std::int64_t row = 0;
    std::int64_t column = 0;
    CellValue expected;
    CellValue actual;
};

// Comparison of every cell of a variant's result with the plain reference, or of a divergent flow
// as a whole. Absent members: the file is older than the figure.
struct Verification {
    enum class Status { passed, failed, skipped };
    enum class Method { cells, statistics };  // criterion of the verdict

    Status status = Status::skipped;
    std::int64_t compared_cells = 0;
    std::int64_t differing_cells = 0;
    // A cell passes if |actual - expected| <= tolerance + relative_tolerance * |expected|; the sum
    // of a field's cells passes if it differs by at most total_tolerance of the expected sum.
    double tolerance = 0;
    // Overrides `tolerance` for single fields.
    std::map<std::string, double, std::less<>> tolerance_of;
    std::optional<double> relative_tolerance;
    std::optional<double> total_tolerance;
    std::optional<double> tolerated_outliers;  // share of cells that may exceed the tolerance
    // Number of cells that exceeded it and were tolerated.
    std::optional<std::int64_t> outlying_cells;
    std::optional<double> largest_difference;       // between cells; only if not bit-equal
    int generations = 0;                            // computed before the comparison
    std::optional<DifferingCell> first_difference;  // in row-major order
    std::string unwritten;  // a clause about memory that was never written; not recorded

    std::optional<Method> method;
    std::optional<FlowDifference> statistics;  // for workloads whose states are flows
    std::optional<FlowLimits> limits;          // if the flow is judged as a whole
    std::vector<std::string> exceeded;         // limits that were exceeded, a phrase each
    std::optional<FlowSpread> spread;          // if runs of the variant differ

    bool passed() const { return status == Status::passed; }
    bool by_statistics() const { return method == Method::statistics; }
    // Returns true if cells must be bit-equal.
    bool exact() const {
        return tolerance == 0 && relative_tolerance.value_or(0) == 0 &&
               total_tolerance.value_or(0) == 0 && tolerance_of.empty();
    }
};

std::string_view name(Verification::Status status);  // "passed"...

// Summary of a final state for result files.
struct FinalState {
    std::string quantity;  // "population" or "mass"
    double amount = 0;
    std::uint64_t checksum = 0;  // FNV-1a over the cells, row by row
    // Reference's account from start to end: "rained", "infiltrated".
    std::map<std::string, double> account = {};
};

}  // namespace camber
