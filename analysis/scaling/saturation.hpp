// Time over board size: the size up to which additional cells cost nothing, and the cost of each
// further cell.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::scaling {

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
