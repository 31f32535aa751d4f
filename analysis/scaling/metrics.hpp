// The measures of scaling as formulas. T(p) is the wall time of one unchanged problem and variant
// on p units, T1 = T(1); times may have any unit, the same in one call.
//
// Sources: G. M. Amdahl 1967; J. L. Gustafson 1988; A. H. Karp and H. P. Flatt 1990; E. Rustico,
// "Fluid Dynamics Simulations on Multi-GPU Systems", PhD thesis 2012, equations 4.1 to 4.6.
#pragma once

#include <optional>
#include <span>

namespace camber::scaling {

// S = T1 / T(p).
double speedup(double t1, double tp);

// E = S / p.
double efficiency(double speedup, double p);

// Standard error of S for independent times; the arguments after S are relative standard errors.
double speedup_sigma(double speedup, double relative_sigma_t1, double relative_sigma_tp);

// Amdahl's prediction 1 / (b + (1 - b)/p) for a serial share b of T1.
double amdahl_speedup(double serial_share, double p);

// Amdahl's parallel share from one speedup, (1/S - 1)/(1/p - 1); it is 1 - karp_flatt(S, p).
double parallel_share(double speedup, double p);

// Experimentally determined serial fraction e = (1/S - 1/p)/(1 - 1/p). Negative if the speedup is
// superlinear. Throws Error(usage) unless p > 1: it is undefined at 1.
double karp_flatt(double speedup, double p);

// sigma_S / (S^2 (1 - 1/p)), from de/dS.
double karp_flatt_sigma(double speedup, double speedup_sigma, double p);

// Weak scaling: E_w = T(1; n)/T(p; p n), and Gustafson's s = (p - p E_w)/(p - 1) that it
// gives: the serial share of the *parallel* run.
double weak_efficiency(double t1, double tp_of_p_fold_problem);
double gustafson_serial_share(double weak_efficiency, double p);

// K = T(p) - T1/p, the time above the ideal time.
double cost(double t1, double tp, double p);

// max / mean of the units' busy times; 1 is balanced. Throws Error(usage) if the list is empty.
double imbalance(std::span<const double> busy_times);

// Best possible gain from p - 1 to p units, as a share of T1: 1/(p (p - 1)).
double ideal_gain(int p);

// D_max: the largest number of units whose last one still gains more than the overhead it adds, D
// (D - 1) < parallel_share / overhead, both as shares of T1. Absent if overhead <= 0, since then
// any number of units is worthwhile.
std::optional<int> largest_worthwhile_units(double overhead_per_unit, double parallel_share = 1);

// p for units of unequal speed: the sum of the rates that each unit reaches alone over the first
// one's. Throws Error(usage) if the list is empty or a rate is not above 0.
double effective_units(std::span<const double> single_unit_rates);

}  // namespace camber::scaling
