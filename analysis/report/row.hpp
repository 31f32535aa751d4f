// A case as a row of the report.
#pragma once

#include "analysis/report/report.hpp"

namespace camber::report {

Row row_of(const results::CaseRecord& record);

}  // namespace camber::report
