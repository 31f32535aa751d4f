#include "harness/cli/common/place_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "harness/base/error.hpp"

namespace camber {

std::vector<int> number_list(const std::string& text, const char* option, int least) {
    std::vector<int> numbers;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        int number = 0;
        const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, number);
        if (error != std::errc() || stop != text.data() + end || number < least)
            throw Error(ExitCode::usage,
                        fmt::format("{} {} is not NUMBER[,NUMBER...] from {} on: write for example "
                                    "{} {},{}",
                                    option, text, least, option, least, least + 1));
        numbers.push_back(number);
        start = end + 1;
    }
    return numbers;
}

std::vector<int> devices_of_places(int gpus, const std::string& list) {
    if (list.empty()) {
        std::vector<int> devices(static_cast<std::size_t>(gpus));
        std::iota(devices.begin(), devices.end(), 0);
        return devices;
    }
    std::vector<int> devices = number_list(list, "--devices", 0);
    if (gpus > 0 && gpus != static_cast<int>(devices.size()))
        throw Error(ExitCode::usage,
                    fmt::format("--gpus {} and the {} devices of --devices {} differ: leave "
                                "out one of the two",
                                gpus, devices.size(), list));
    return devices;
}

void check_devices(const std::vector<int>& devices, bool named,
                   const std::vector<DeviceInfo>& known) {
    if (!named && devices.size() > known.size())
        throw Error(ExitCode::unavailable,
                    fmt::format("{} GPUs are asked for, and this machine has {}: give fewer, or "
                                "one of them several times with --devices {}",
                                devices.size(), known.size(), "0,0"));
    for (const int device : devices) device_at(known, device);
}

std::vector<int> multiprocessors_of(const std::vector<int>& devices,
                                    const std::vector<DeviceInfo>& known) {
    std::vector<int> counts;
    for (const int device : devices) counts.push_back(device_at(known, device).sm_count);
    return counts;
}

int device_of_rank(int rank, int local, const std::string& list,
                   const std::vector<DeviceInfo>& known) {
    std::vector<int> devices(known.size());
    std::iota(devices.begin(), devices.end(), 0);
    if (!list.empty()) devices = number_list(list, "--devices", 0);
    if (static_cast<std::size_t>(local) >= devices.size())
        throw Error(ExitCode::unavailable,
                    fmt::format("rank {} has no GPU: it is number {} of its machine, for which "
                                "there are {}: start fewer, or give one several times with "
                                "--devices 0,0",
                                rank, local + 1, devices.size()));
    const int device = devices[static_cast<std::size_t>(local)];
    device_at(known, device);
    return device;
}

}  // namespace camber
