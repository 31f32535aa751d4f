// Scaling series as values: measurements on several numbers of units, and the results of
// analysis/scaling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber::scaling {

// Unit that p counts. Units are identical, and can be added one by one.
enum class Unit {
    sm,      // SMs of a partition; one unit is the smallest partition
    thread,  // CPU threads, one per core
    gpu,     // devices of one model
    rank,    // MPI ranks with a GPU each
};

enum class Mode {
    strong,  // the same problem on all p
    weak,    // a problem p times as large on p units
};

std::string_view key(Unit unit);  // "sm", "thread", "gpu", "rank"
std::string_view key(Mode mode);  // "strong", "weak"

// Times of cooperating devices from the timeline of a few launches, per generation, for the device
// with the largest value.
struct PlaceTimes {
    std::optional<double> exposed_transfer_ns;  // rows travel while no kernel runs
    std::optional<double> barrier_wait_ns;      // it waits while nothing runs
    std::optional<double> imbalance;            // its kernel time over the mean of all devices
};

struct Point {
    int units = 0;                   // SMs, threads, GPUs, ranks
    std::vector<double> samples_ns;  // of one step, or of one generation; the same at every point

    // If there are no samples: a median, with its standard error if available.
    std::optional<double> median_ns;
    std::optional<double> sigma_ns;

    // Application bandwidth / the whole device's copy bandwidth.
    std::optional<double> share_of_copy;
    std::optional<double> effective_p;  // for unequal units, from effective_units()
    PlaceTimes places;
};

struct Series {
    std::string workload;
    std::string variant;
    std::string backend;
    std::string machine;
    Unit unit = Unit::gpu;
    int unit_size = 1;  // number of SMs, threads, ... in one unit of p
    Mode mode = Mode::strong;
    long columns = 0;  // of the whole problem; in weak series, of one unit's problem
    long rows = 0;
    std::vector<Point> points;

    // Assumed relative standard error for times that were measured once.
    std::optional<double> assumed_relative_error;
    // Serial share of T1 from another source, such as kernel times: a prediction, not a bound.
    std::optional<double> predicted_serial_share;
    // Remarks for the reader, e.g. that times are per step.
    std::vector<std::string> notes;
};

struct LinearFit {
    std::vector<double> coefficients;
    // From the scatter of the residuals; empty unless there are more data than coefficients.
    std::vector<double> standard_errors;
    std::vector<double> residuals;  // data minus fit, in data order
    double max_abs_residual = 0;
};

// T(p)/T1 = a + b/p + c (p - 1): serial, parallel and per-added-unit parts, all as shares of T1.
struct ThreeTermFit {
    double a = 0;
    double b = 0;
    double c = 0;
    double standard_error_a = 0;
    double standard_error_b = 0;
    double standard_error_c = 0;
    std::vector<double> residuals;
    double max_abs_residual = 0;

    // If c > 2 standard errors: the p of the shortest time, sqrt(b/c), and the largest number of
    // units at which the last added unit still shortens the time. Otherwise absent: no per-unit
    // cost is resolved.
    std::optional<double> fastest_p;
    std::optional<int> d_max;
    bool fastest_p_extrapolated = false;  // beyond the largest measured p
    bool d_max_extrapolated = false;

    double at(double p) const { return a + b / p + c * (p - 1); }
};

struct PointAnalysis {
    double p = 0;
    int units = 0;
    std::size_t n = 0;  // number of samples; 0 if only a median is available
    double median_ns = 0;
    std::optional<double> sigma_ns;  // of the median
    std::optional<double> share_of_copy;
    PlaceTimes places;

    // Strong series only; all but the speedup, its sigma and the efficiency only for p > 1.
    std::optional<double> speedup;
    std::optional<double> speedup_sigma;
    std::optional<double> efficiency;
    std::optional<double> karp_flatt;  // negative if S > p; never clipped
    std::optional<double> karp_flatt_sigma;
    std::optional<double> cost_ns;
    std::optional<double> marginal_cost;   // per unit added since the previous point, share of T1
    std::optional<double> gain;            // time saved since the previous point, share of T1
    std::optional<double> amdahl_speedup;  // by the two-term fit
    std::optional<double> predicted_speedup;  // by Series::predicted_serial_share
    bool exceeds_prediction = false;

    // Weak series only.
    std::optional<double> weak_efficiency;
    std::optional<double> weak_efficiency_sigma;
    std::optional<double> scaled_speedup;
    std::optional<double> serial_share;  // Gustafson's s, of the parallel run; for p > 1

    // Returns true if e is negative by more than twice its own error.
    bool superlinear() const {
        return karp_flatt && karp_flatt_sigma && *karp_flatt + 2 * *karp_flatt_sigma < 0;
    }
};

// One s for all points: least squares of p - p E_w = s (p - 1).
struct GustafsonFit {
    double serial_share = 0;
    std::optional<double> standard_error;  // with at least two points beyond p = 1
    double max_abs_residual = 0;           // of the scaled speedup
};

struct Fits {
    std::optional<LinearFit> amdahl;  // {a, b}; with at least 3 p
    std::optional<ThreeTermFit> three_term;
    std::optional<LinearFit> linear_overhead;  // {c}
    std::optional<LinearFit> karp_flatt_line;  // {a, c}, unweighted; with at least 3 p > 1
    std::optional<LinearFit> weighted_karp_flatt_line;
    bool weighted_by_sigma = false;  // otherwise, all times have the same relative error
};

enum class Verdict {
    no_trend,       // too few p, or no uncertainty: e is printed without interpretation
    per_unit_cost,  // c above 2 standard errors in the three-term fit and in both lines
    imbalance,      // c below -2 standard errors in the three-term fit
    serial_part,    // per-unit cost unresolved; a above 2 standard errors
    unresolved,     // neither
    weak,           // a weak series: Gustafson's s is the result
};

std::string_view key(Verdict verdict);  // "per_unit_cost", ...

struct Analysis {
    Series series;                          // checked, points sorted by p
    std::vector<PointAnalysis> points;      // in that order
    Fits fits;                              // for strong series
    std::optional<GustafsonFit> gustafson;  // for weak series
    // The largest measured p at which the last step still shortened the time, by more than twice
    // the standard error of the difference if that is available. Strong series only.
    std::optional<double> observed_d_max;
    bool bandwidth_saturated = false;  // see saturated_share and flat_slope
    Verdict verdict = Verdict::no_trend;
    std::string reading;  // one or two sentences, with numbers
};

}  // namespace camber::scaling
