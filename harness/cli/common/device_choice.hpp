// The GPU that a command measures.
#pragma once

#include <string>

#include "harness/machine/queue/devices.hpp"

namespace camber {

// The CUDA device of that index. Throws Error(usage) where the machine has others only, and
// Error(unavailable) where it has none: `need` and `instead` are the sentence's ends, around why
// there is none.
DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead);

}  // namespace camber
