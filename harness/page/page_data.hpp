// A report as the data that the HTML page draws from.
#pragma once

#include <string>

#include "analysis/report/report.hpp"

namespace camber {

// {"files", "groups", "opening", "scalings", "timelines", "span_kinds", "span_names", "families",
// "levels", "lead", "findings", "summary", "counters", "most_samples"}, as JSON that a script
// element may hold: no "</script" and no "<!--" can occur in it. Figures are rounded to six digits,
// samples to five; counters are exact. Absent figures are left out.
std::string page_data(const report::Report& report);

// `value` rounded to this many significant decimal digits.
double rounded(double value, int digits);

}  // namespace camber
