// Predicted times beside measured ones.
#pragma once

#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report {

// Sets `predicted` of the timed rows whose variant and board the documents' models have a time of.
void set_predicted(Report& report, const std::vector<results::Document>& documents);

}  // namespace camber::report
