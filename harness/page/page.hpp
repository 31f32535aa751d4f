// HTML report: one page that loads nothing from elsewhere, and the JSON data that its charts are
// drawn from.
#pragma once

#include <string>

#include "analysis/report/report.hpp"

namespace camber {

// A report as one HTML page that loads nothing from elsewhere.

// Whether the charts' library was there when camber was built. Without it there are no pages.
bool can_write_page();

// Throws Error(unavailable) where !can_write_page().
std::string html_page(const report::Report& report, const std::string& title);

// A report as the data that the HTML page draws from.

// {"files", "groups", "opening", "scalings", "timelines", "span_kinds", "span_names", "families",
// "levels", "lead", "findings", "summary", "counters", "most_samples"}, as JSON that a script
// element may hold: no "</script" and no "<!--" can occur in it. Figures are rounded to six digits,
// samples to five; counters are exact. Absent figures are left out.
std::string page_data(const report::Report& report);

// `value` rounded to this many significant decimal digits.
double rounded(double value, int digits);

}  // namespace camber
