// A report as the JSON block that the HTML page draws from.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/report/report.hpp"

namespace camber::report {

// {"files", "groups", "scalings", "families", "levels", "summary", "counters", "most_samples"}.
// Figures are rounded to six digits, samples to five; counters are exact. Absent figures are left
// out.
nlohmann::ordered_json to_json(const Report& report);

// `value` to so many significant decimal digits.
double rounded(double value, int digits);

}  // namespace camber::report
