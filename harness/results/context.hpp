// The `context` of a results file: the machine, the program and the run.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"

namespace camber {

// Bandwidths and rates of the device itself, measured in the same run. Absent: not measured.
struct Ceilings {
    std::optional<double> copy_bytes_per_second;  // bytes read plus bytes written
};

// `device`: the one the run uses, nullptr on the host's backends.
nlohmann::ordered_json run_context(const std::vector<std::string>& command,
                                   const DeviceInfo* device, const Ceilings& ceilings);

}  // namespace camber
