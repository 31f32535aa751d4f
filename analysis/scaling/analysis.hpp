// What a scaling series says: measures per point, fits, a verdict and one sentence of reading.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/scaling/fits.hpp"
#include "analysis/scaling/series.hpp"

namespace camber::scaling {

struct PointAnalysis {
    double p = 0;
    int units = 0;
    std::size_t n = 0;  // samples; 0 where only a median is known
    double median_ns = 0;
    std::optional<double> sigma_ns;  // of the median
    std::optional<double> share_of_copy;

    // Strong series only; all but the speedup, its sigma and the efficiency for p > 1 only.
    std::optional<double> speedup;
    std::optional<double> speedup_sigma;
    std::optional<double> efficiency;
    std::optional<double> karp_flatt;  // negative: superlinear, never clipped
    std::optional<double> karp_flatt_sigma;
    std::optional<double> cost_ns;
    std::optional<double> marginal_cost;      // per unit added since the point before, share of T1
    std::optional<double> gain;               // time saved since the point before, share of T1
    std::optional<double> amdahl_speedup;     // of the two-term fit
    std::optional<double> predicted_speedup;  // by Series::predicted_serial_share
    bool exceeds_prediction = false;

    // Weak series only.
    std::optional<double> weak_efficiency;
    std::optional<double> weak_efficiency_sigma;
    std::optional<double> scaled_speedup;
    std::optional<double> serial_share;  // Gustafson's s, of the parallel run; for p > 1

    bool superlinear() const { return karp_flatt && *karp_flatt < 0; }
};

// One s for all points: least squares of p - p E_w = s (p - 1).
struct GustafsonFit {
    double serial_share = 0;
    std::optional<double> standard_error;  // with two points and more beyond p = 1
    double max_abs_residual = 0;           // of the scaled speedup
};

struct Fits {
    std::optional<LinearFit> amdahl;  // {a, b}; with at least 3 p
    std::optional<ThreeTermFit> three_term;
    std::optional<LinearFit> linear_overhead;  // {c}
    std::optional<LinearFit> karp_flatt_line;  // {a, c}, unweighted; with at least 3 p > 1
    std::optional<LinearFit> weighted_karp_flatt_line;
    bool weighted_by_sigma = false;  // else as if all times had the same relative error
};

enum class Verdict {
    no_trend,       // too few p, or no uncertainty: e is printed, nothing is said of it
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
    Fits fits;                              // of strong series
    std::optional<GustafsonFit> gustafson;  // of weak series
    // The largest measured p of which the last step still shortened the time, by more than twice
    // the standard error of the difference where that is known. Strong series only.
    std::optional<double> observed_d_max;
    bool bandwidth_saturated = false;  // see saturated_share and flat_slope
    Verdict verdict = Verdict::no_trend;
    std::string reading;  // one or two sentences, with numbers
};

// A series is called saturated where the application bandwidth at the largest p reaches this share
// of the copy, and the last unit added less than this much speedup.
inline constexpr double saturated_share = 0.9;
inline constexpr double flat_slope = 0.5;

// Throws what checked() throws.
Analysis analyse(Series series);

// Gustafson's s of a weak series; throws Error(usage) for a strong one, whose times cannot give it.
GustafsonFit gustafson(const Series& weak_series);

}  // namespace camber::scaling
