// Models fitted to T(p)/T1 and to the Karp-Flatt fraction e(p).
#pragma once

#include <optional>
#include <span>

#include "analysis/scaling/least_squares.hpp"
#include "harness/record/scaling.hpp"

namespace camber::scaling {

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

// 1/sigma_e^2 up to a factor where all times have the same relative error: (S (1 - 1/p))^2.
double karp_flatt_weight(double speedup, double p);

// Absent where fewer than 4 distinct p, all above 0, were measured.
std::optional<ThreeTermFit> fit_three_terms(std::span<const double> p,
                                            std::span<const double> relative_times);

// True if a coefficient exceeds 0 by more than twice its standard error and by more than the
// rounding of doubles.
bool resolved(double coefficient, double standard_error);

}  // namespace camber::scaling
