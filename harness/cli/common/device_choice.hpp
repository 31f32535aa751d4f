// The CUDA device that a command was given by its index.
#pragma once

#include <string_view>

#include "harness/backend/devices.hpp"

namespace camber {

// Throws Error(unavailable) "NEED: why no device can be used; INSTEAD" where there is none, and
// Error(usage) where there is none of that index.
DeviceInfo chosen_device(int index, std::string_view need, std::string_view instead);

}  // namespace camber
