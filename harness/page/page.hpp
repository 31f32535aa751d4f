// A report as one HTML page that loads nothing from elsewhere.
#pragma once

#include <string>

#include "analysis/report/report.hpp"

namespace camber {

// Whether the charts' library was there when camber was built. Without it there are no pages.
bool can_write_page();

// Throws Error(unavailable) where !can_write_page().
std::string html_page(const report::Report& report, const std::string& title);

}  // namespace camber
