// One case of a results file as a row of the report.
#pragma once

#include "analysis/report/report.hpp"

namespace camber::report {

Row row_of(const results::Case& one);

}  // namespace camber::report
