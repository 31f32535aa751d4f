// Analysis of a scaling series: measures per point, fits, a verdict and a one-sentence reading.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/scaling/fits.hpp"
#include "analysis/scaling/series.hpp"
#include "harness/record/scaling.hpp"

namespace camber::scaling {

// A series is saturated if its application bandwidth at the largest p reaches this share of the
// copy bandwidth and the last unit added less than this much speedup.
inline constexpr double saturated_share = 0.9;
inline constexpr double flat_slope = 0.5;

// Throws the exceptions of checked().
Analysis analyse(Series series);

// Gustafson's s of a weak series; throws Error(usage) for a strong one, from which s cannot be
// derived.
GustafsonFit gustafson(const Series& weak_series);

}  // namespace camber::scaling
