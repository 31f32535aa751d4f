// Kind and amount of work behind the two columns of a published table: the source's run and the
// measured one. A verdict requires that both did the same kind of work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/published/outcome.hpp"
#include "analysis/published/table.hpp"
#include "harness/record/document.hpp"

namespace camber::published {

// Work of measured runs, read from a results file.
struct MeasuredWork {
    std::string origin;                     // machine, size and file
    Size size;                              // board
    std::string input;                      // name of the `--input`; "" if the state was generated
    double steps = 0;                       // generations from the start that are timed
    std::optional<double> seconds;          // simulated time at the end, if the workload records it
    std::optional<double> active_share;     // active cells at the end, 0 to 1
    std::optional<std::int64_t> particles = std::nullopt;  // for particle workloads
    int states = 0;  // saved states over which the steps are summed; 0: none
    double begin = 0;  // steps before the developed state that the run begins with
};

// Work of a case. Samples that do not begin at the initial state continue one another within a
// visit, so that the longest visit counts.
MeasuredWork work_of(const results::Document& document, const results::CaseRecord& record);

// Comparison of the measured work with the source's. Steps before a developed state count as
// covered: the run is at that stage.
enum class Basis : std::uint8_t {
    same,          // same kind of work, and at least a tenth of its length
    short_run,     // less than a tenth of the source's steps, or of its simulated time
    other_ground,  // generated ground, or that of another eruption, instead of the source's
};

// A run shorter than this share of the source's yields no verdict.
inline constexpr double min_run_share = 0.1;

// Source's work on the measured board: the table's work for its size, else that for any size, else
// the first; null if the table has none.
const Work* source_work(const Table& table, const Size& size);

// Basis::same if the source's work is unknown, or `measured` is null.
Basis basis_of(const Table& table, const MeasuredWork* measured);

// `outcome` if the basis is the same or there is no outcome, else the outcome that withholds a verdict.
Outcome outcome_on(Basis basis, Outcome outcome);

// Row of the table that sets the works side by side.
struct WorkRow {
    std::string column;  // "published", or the measured file
    std::string work;    // in words, with the board
    std::string active;
    std::string steps;
    std::string seconds;
    std::string verdict;  // "short run", "other ground", "" if verdicts follow
    std::string citation;  // where the source states these figures; "" for measured runs
    friend bool operator==(const WorkRow&, const WorkRow&) = default;
};

// One row for each of the source's works that apply to `measured`, then one for each measured work.
// All works of the source if nothing was measured; empty if the table has none.
std::vector<WorkRow> work_rows(const Table& table, const std::vector<MeasuredWork>& measured);

// Explanation of the two words that withhold a verdict, for `rows` that contain one; else "".
std::string withheld_rule(const std::vector<WorkRow>& rows);

// "holds", or "holds, 24x for a printed 51x" if the measured ratio differs from the printed one by
// more than a factor of 2 and the printed bound does not permit that. `printed`: speedup.
std::string verdict_text(const Judged& measured, const std::optional<Entry>& printed);

}  // namespace camber::published
