#include "harness/cli/common/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"

namespace camber {

DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead) {
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable, fmt::format("{}: {}; {}", need, why_no_cuda(), instead));
    const auto chosen = std::ranges::find(devices, index, &DeviceInfo::index);
    if (chosen == devices.end())
        throw Error(ExitCode::usage,
                    fmt::format("device {} does not exist: this machine has devices 0 to {}", index,
                                devices.size() - 1));
    return *chosen;
}

}  // namespace camber
