// A case's counters kernel by kernel, beside their predictions, as results files have them.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/run/case_result.hpp"

namespace camber {

// One element for each kernel of the launch, in order: {"name", "symbol", "counters": {metric:
// value}, "model": as model_record() has it of this kernel alone}. The last only where it was
// predicted.
nlohmann::ordered_json kernel_counters_record(const CaseResult& result);

}  // namespace camber
