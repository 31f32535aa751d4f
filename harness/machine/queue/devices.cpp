#include "harness/machine/queue/devices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"

namespace camber {

const DeviceInfo& device_at(const std::vector<DeviceInfo>& devices, int index) {
    if (devices.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("no CUDA device can be used: {}", why_no_cuda()),
                    Remedy::host_backend);
    const auto found = std::ranges::find(devices, index, &DeviceInfo::index);
    if (found == devices.end())
        throw Error(ExitCode::usage,
                    fmt::format("device {} does not exist: this machine has devices 0 to {}", index,
                                devices.size() - 1));
    return *found;
}

}  // namespace camber
