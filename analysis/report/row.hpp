// A case as a row of the report.
#pragma once

#include "analysis/report/report.hpp"

namespace camber::report {

// `run`: what the record was measured in; may be null.
Row row_of(const results::CaseRecord& record, const results::Run* run);

}  // namespace camber::report
