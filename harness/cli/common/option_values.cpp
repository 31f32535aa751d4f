#include "harness/cli/common/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace camber {

namespace {

// True if the whole text is a T.
template <class T>
bool reads_as(const std::string& text, T& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

}  // namespace

std::string not_empty(const std::string& text) {
    return text.empty() ? "the value is empty" : "";
}

std::string is_seed(const std::string& text) {
    std::uint64_t value = 0;
    if (reads_as(text, value)) return "";
    return fmt::format("'{}' is no whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
}

Check is_within(double least, double most) {
    return [=](const std::string& text) {
        double value = 0;
        if (reads_as(text, value) && value >= least && value <= most) return std::string();
        return fmt::format("'{}' is no number from {} to {}", text, least, most);
    };
}

std::string is_file_name(const std::string& text) {
    return text == "-" ? "'-' is no file; give a name, or ./- for a file of that name"
                       : not_empty(text);
}

std::optional<double> parse_duration(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc()) return std::nullopt;
    const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    if (unit == "m")
        value *= 60;
    else if (unit == "h")
        value *= 3600;
    else if (unit != "s" && !unit.empty())
        return std::nullopt;
    constexpr double most = 3.6e6;
    if (!(value >= 1 && value <= most)) return std::nullopt;
    return value;
}

std::string is_duration(const std::string& text) {
    if (parse_duration(text)) return "";
    return fmt::format(
        "'{}' is no length of time from one second to a thousand hours: write for "
        "example 90s, 20m or 1h",
        text);
}

Size parse_size(const std::string& text) {
    constexpr std::int64_t longest = 1 << 25;  // a tile of such long rows still has 32-bit offsets
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(text, 'x', columns, rows))
        throw Error(
            ExitCode::usage,
            fmt::format("size '{}' is not COLUMNSxROWS: write for example 1600x1200", text));
    if (columns < 1 || rows < 1 || columns > longest || rows > longest)
        throw Error(ExitCode::usage,
                    fmt::format("size {} is impossible: columns and rows must be between 1 and {}",
                                text, longest));
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

namespace {

// Sizes from `first` to `last`, doubled at each step.
std::vector<std::string> doubled(const std::string& first, const std::string& last) {
    const Size end = parse_size(last);
    std::vector<std::string> sizes;
    for (Size size = parse_size(first); size.columns <= end.columns && size.rows <= end.rows;
         size = {2 * size.columns, 2 * size.rows}) {
        sizes.push_back(fmt::format("{}x{}", size.columns, size.rows));
        if (size == end) return sizes;
    }
    throw Error(ExitCode::usage,
                fmt::format("sizes {}..{} do not double: columns and rows of the last size must "
                            "be 2, 4, 8... times those of the first; write for example "
                            "64x64..1024x1024",
                            first, last));
}

}  // namespace

std::vector<std::string> sizes_in(const std::string& list) {
    std::vector<std::string> sizes;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        const std::string item = list.substr(start, end - start);
        const auto dots = item.find("..");
        if (dots == std::string::npos) {
            if (!list.empty()) parse_size(item);
            sizes.push_back(item);
        } else {
            std::ranges::copy(doubled(item.substr(0, dots), item.substr(dots + 2)),
                              std::back_inserter(sizes));
        }
        start = end + 1;
    }
    for (auto size = sizes.begin(); size != sizes.end(); ++size)
        if (std::find(sizes.begin(), size, *size) != size)
            throw Error(ExitCode::usage,
                        fmt::format("size {} is given twice: leave out one", *size));
    return sizes;
}

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

DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead) {
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable, fmt::format("{}: {}; {}", need, why_no_cuda(), instead));
    return device_at(devices, index);
}

}  // namespace camber
