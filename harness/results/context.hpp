// The `context` of a results file: the machine, the program and the run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"
#include "harness/results/ceilings.hpp"

namespace camber {

// `device`: the one the run uses, nullptr on the host's backends. Asks NVML for what the runtime
// does not tell of it.
nlohmann::ordered_json run_context(const std::vector<std::string>& command,
                                   const DeviceInfo* device, const Ceilings& ceilings);

}  // namespace camber
