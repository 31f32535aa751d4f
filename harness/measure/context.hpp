// The `context` of a run: the machine, the program and how it was called.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/queue/devices.hpp"
#include "harness/record/context.hpp"

namespace camber {

// `device`: the one the run uses, nullptr on the host's backends. Asks NVML for what the runtime
// does not tell of it.
results::Context run_context(const std::vector<std::string>& command, const DeviceInfo* device,
                             const Ceilings& ceilings);

}  // namespace camber
