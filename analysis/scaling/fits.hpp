// Models fitted to a scaling series by linear least squares, such as Amdahl's law and overhead per
// unit, and projections of the fits to more units than were measured.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/record/document.hpp"
#include "harness/record/scaling.hpp"

namespace camber::scaling {

// Linear least squares: fits y = sum of coefficients[j] * columns[j]. `weights`: one per datum,
// relative (1/sigma^2 up to a factor), or empty for equal weights. Throws std::invalid_argument if
// lengths differ, if there are fewer data than coefficients, or if the columns are linearly
// dependent.
LinearFit least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                        std::span<const double> weights = {});

// Models fitted to T(p)/T1 and to the Karp-Flatt fraction e(p).

// Amdahl: T(p)/T1 = a + b/p; coefficients {a, b}. At least 2 values.
LinearFit fit_amdahl(std::span<const double> p, std::span<const double> relative_times);

// Linear overhead alone: T(p)/T1 = 1/p + c (p - 1); coefficients {c}. Values with p > 1.
LinearFit fit_linear_overhead(std::span<const double> p, std::span<const double> relative_times);

// The overhead counted from the first unit: T(p)/T1 = 1/p + c p; coefficients {c}.
LinearFit fit_overhead_of_every_unit(std::span<const double> p,
                                     std::span<const double> relative_times);

// e(p) = a + c p; coefficients {a, c}. With a + b = 1 the three-term model is exactly this line,
// because (p - 1)/(1 - 1/p) = p.
LinearFit fit_karp_flatt_line(std::span<const double> p, std::span<const double> e,
                              std::span<const double> weights = {});

// 1/sigma_e^2 up to a factor if all times have the same relative error: (S (1 - 1/p))^2.
double karp_flatt_weight(double speedup, double p);

// Absent if fewer than 4 distinct positive p were measured.
std::optional<ThreeTermFit> fit_three_terms(std::span<const double> p,
                                            std::span<const double> relative_times);

// True if a coefficient exceeds 0 by more than twice its standard error and by more than the
// rounding of doubles.
bool resolved(double coefficient, double standard_error);

// Extrapolates a scaling series to more units than were measured.
struct Projection {
    int p = 0;
    // If T/T1 keeps its serial part: that of the two-term fit, or e of the largest measured p.
    double by_serial_part = 0;  // efficiencies
    // If every further unit costs as much as in the three-term fit, or in the overhead fit if there
    // are too few points.
    double by_unit_cost = 0;
};

// Projections for the next two powers of two beyond the largest measured p. Empty for weak series,
// and if a fit yields no time above 0.
std::vector<Projection> projections(const Analysis& analysis);

// Time over board size: the size up to which additional cells cost nothing, and the cost of each
// further cell.

struct SizePoint {
    double cells = 0;
    double ns = 0;  // per generation
};

// T(N) = floor for N up to the knee, and floor + (N - knee) * ns_per_cell beyond it. Below the knee
// the board has too few cells to occupy the device: it is saturated from there on.
struct Saturation {
    double floor_ns = 0;
    double knee_cells = 0;
    double knee_low = 0, knee_high = 0;  // 95 % interval
    double ns_per_cell = 0;
    double intercept_ns = 0;  // of the rising line, at 0 cells
    double intercept_low_ns = 0, intercept_high_ns = 0;
    double largest_cells = 0;  // largest size included in the fit
};

// Least squares of relative deviations, over the points that take at most `transition` times the
// shortest time (five at least): larger boards exceed the capacity of caches and follow another
// line. The interval contains every knee whose sum of squares an F test at 95 % cannot distinguish
// from the minimum. Absent for fewer than 5 sizes, if times do not rise, and if they rise from the
// first size on, so that the knee is below all sizes. `points` may be in any order.
std::optional<Saturation> fit_saturation(std::vector<SizePoint> points);

inline constexpr double transition = 20;

// One variant under one set of conditions, or one of its kernels, over all sizes of a document.
struct SizeSeries {
    std::string variant;            // "life/halo/64x4/align128, cold"
    std::string kernel;             // "" for the whole generation
    std::vector<SizePoint> points;  // ascending
};

// Series of every variant that was timed on several sizes, in order of first appearance, plus a
// series per kernel if its kernels were timed individually. Repetitions must be merged.
std::vector<SizeSeries> series_over_size(const results::Document& document);

}  // namespace camber::scaling
