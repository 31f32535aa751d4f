// Trend of results over commits: for each machine and case, the deterministic quantities and the
// times of every commit, with the commits at which they change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "harness/record/document.hpp"

namespace camber::history {

struct Commit {
    std::string hash;       // as complete as the user gave it; usually 40 digits
    bool dirty = false;     // with uncommitted changes
    std::int64_t time = 0;  // seconds since 1970
    std::string time_of;    // "commit", "measurement" or "addition", whichever is available
    std::string subject;    // first line of its message; "" if unavailable

    // "1a2b3c4d5e6f", or "1a2b3c4d5e6f (dirty)".
    std::string text() const;
    friend bool operator==(const Commit& a, const Commit& b) {
        return a.hash == b.hash && a.dirty == b.dirty;
    }
};

// Time as "2026-11-29T08:00:00Z", and back; nullopt for a text in another form. Offsets such as
// "+0100" are accepted.
std::string utc_text(std::int64_t seconds);
std::optional<std::int64_t> seconds_of(const std::string& text);

// Machine of a series. Results of two machines are never in one series.
struct Machine {
    std::string name;      // "NVIDIA H200", or the user's name for it
    std::string hardware;  // what the results file states: "NVIDIA H200, 132 SMs, 9.0"

    friend auto operator<=>(const Machine& a, const Machine& b) = default;
};

// Values of one deterministic quantity.
struct QuantityTrend {
    comparison::QuantityFamily family = comparison::QuantityFamily::model;
    std::string quantity;
    std::vector<std::optional<double>> values;  // by commit; nullopt: not in its results
    bool varies = false;
};

// Difference of a quantity from the previous commit with the case.
struct QuantityChange {
    std::size_t commit = 0;  // index of the later commit
    comparison::Change change;
};

struct TimePoint {
    std::size_t commit = 0;
    double ns = 0;  // typical time, per generation
    // Range of the processes' medians; quartiles of the samples if there is only one process.
    double low_ns = 0, high_ns = 0;
    std::size_t processes = 0;
};

// Change point of a case's times.
struct TimeChange {
    std::size_t commit = 0;  // first commit with the new time
    double before_ns = 0;    // medians of the typical times between two change points
    double after_ns = 0;
    double p = 1;

    double ratio() const { return after_ns / before_ns; }
};

struct CaseTrend {
    std::string name;
    std::string workload;
    std::vector<QuantityTrend> quantities;
    std::vector<QuantityChange> changes;
    std::vector<TimePoint> times;
    std::vector<TimeChange> time_changes;
    std::vector<std::pair<std::size_t, std::string>> failures;  // by commit, with the reason

    bool changed() const { return !changes.empty() || !time_changes.empty() || !failures.empty(); }
};

// Series of all cases on one machine.
struct MachineTrend {
    Machine machine;
    std::vector<Commit> commits;  // from old to new
    std::vector<CaseTrend> cases;
    // Changes of driver, compiler and flags, a sentence each.
    std::vector<std::string> environment;
};

// Builds the trend of one machine from its commits, from old to new. Only the newest record of each
// case is stored, so that a long history needs little memory.
class TrendBuilder {
  public:
    // `threshold`: smaller changes of a time are not reported.
    TrendBuilder(Machine machine, double threshold);

    // Adds a commit with its documents, of which the last one with a case counts. Throws the errors
    // of comparison::timing_of().
    void add(const Commit& commit, const std::vector<results::Document>& documents);

    MachineTrend finish();

  private:
    struct Previous {
        results::CaseRecord record;
        results::Document context;  // without cases
    };

    void add_case(const results::CaseRecord& record, const results::Document& context);

    MachineTrend trend_;
    double threshold_;
    std::map<std::string, std::size_t> places_;
    std::map<std::string, Previous> previous_;
    std::optional<results::Run> run_;
};

// Change points of a series by E-divisive, the divisive hierarchical procedure of Matteson and
// James (2014), for one value per commit.

struct ChangePointRule {
    double significance = 0.05;  // a split with a larger p-value ends the search
    int permutations = 199;      // of each significance test
    std::uint64_t seed = 1;      // of the permutations
};

struct ChangePoint {
    std::size_t at = 0;  // index of the first value after the change
    double p = 1;        // estimated p-value of the split when it was found
};

// Minimum number of values between two change points. A change of the last value alone is
// therefore never found.
inline constexpr std::size_t min_segment = 2;

// Change points in ascending order. Repeatedly splits the segment whose halves have the largest
// scaled energy distance (exponent 1), while a permutation test within the segments calls the split
// significant. The result depends only on the values and the rule. Four values on either side of a
// change suffice to detect it at the default significance; three do not, because too few
// permutations differ. Throws std::invalid_argument if a value is not finite.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointRule& rule = {});

// Change points of positive times, in order, whose effect exceeds the threshold. `commit` is the
// index in `times`.
std::vector<TimeChange> time_changes(const std::vector<double>& times, double threshold);

// BASE for a gate: the results before a commit, as one document.
//
// `earlier`: documents of the last commits, the newest first; not empty. Deterministic quantities
// are those of the newest commit that has the case. Times are the pooled processes of all of them
// that were measured alike, from the last change point on. Cases that only older commits have are
// included if `judged` has them.
results::Document gate_base(const std::vector<results::Document>& earlier,
                            const results::Document& judged, double threshold);

// Merges the documents of one commit: the last one with a case counts. `source` names the result
// in messages.
results::Document merged(std::vector<results::Document> documents, const std::string& source);

}  // namespace camber::history
