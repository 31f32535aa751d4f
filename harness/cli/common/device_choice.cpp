#include "harness/cli/common/device_choice.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber {

DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead) {
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable, fmt::format("{}: {}; {}", need, why_no_cuda(), instead));
    return device_at(devices, index);
}

}  // namespace camber
