// Formats: proc(5), os-release(5) and, for /sys, Documentation/ABI/stable/sysfs-devices-node and
// Documentation/admin-guide/pm/cpufreq.rst of the Linux kernel.
#include "harness/machine/environment/host.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace camber {
namespace {

namespace fs = std::filesystem;

std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

// Calls `visit` with name and value of every line "name<separator>value".
void for_each_pair(const fs::path& path, char separator,
                   const std::function<void(const std::string&, const std::string&)>& visit) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const auto middle = line.find(separator);
        if (middle != std::string::npos)
            visit(trimmed(line.substr(0, middle)), trimmed(line.substr(middle + 1)));
    }
}

std::optional<std::string> first_line(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || trimmed(line).empty()) return std::nullopt;
    return trimmed(line);
}

void read_processors(const fs::path& path, HostFacts& facts) {
    std::set<std::pair<std::string, std::string>> cores;  // socket and core
    std::string socket;
    for_each_pair(path, ':', [&](const std::string& name, const std::string& value) {
        if (name == "processor") ++facts.logical_cpus;
        if (name == "model name" && !facts.cpu_model) facts.cpu_model = value;
        if (name == "physical id") socket = value;
        if (name == "core id") cores.emplace(socket, value);
    });
    // Virtual machines and other architectures may not list cores.
    if (!cores.empty()) facts.physical_cores = static_cast<int>(cores.size());
}

std::optional<int> count_nodes(const fs::path& folder) {
    constexpr std::string_view prefix = "node";
    int nodes = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(prefix) && name.size() > prefix.size() &&
            std::all_of(name.begin() + prefix.size(), name.end(),
                        [](char c) { return c >= '0' && c <= '9'; }))
            ++nodes;
    }
    return nodes > 0 ? std::optional(nodes) : std::nullopt;
}

std::optional<std::int64_t> memory_of(const fs::path& path) {
    std::optional<std::int64_t> bytes;
    for_each_pair(path, ':', [&](const std::string& name, const std::string& value) {
        std::int64_t kibibytes = 0;
        if (name != "MemTotal") return;
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), kibibytes);
        if (error == std::errc() && std::string_view(end) == " kB") bytes = 1024 * kibibytes;
    });
    return bytes;
}

std::optional<std::string> distribution_of(const fs::path& path) {
    std::optional<std::string> name;
    for_each_pair(path, '=', [&](const std::string& key, std::string value) {
        if (key != "PRETTY_NAME") return;
        std::erase(value, '"');
        if (!value.empty()) name = value;
    });
    return name;
}

}  // namespace

HostFacts host_facts(const fs::path& root) {
    HostFacts facts;
    read_processors(root / "proc/cpuinfo", facts);
    facts.numa_nodes = count_nodes(root / "sys/devices/system/node");
    facts.frequency_governor =
        first_line(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    facts.kernel = first_line(root / "proc/sys/kernel/osrelease");
    facts.distribution = distribution_of(root / "etc/os-release");
    facts.memory_bytes = memory_of(root / "proc/meminfo");
    return facts;
}

double process_age_seconds() {
    constexpr int start_field = 22;  // field of /proc/PID/stat, in ticks since the system started
    std::ifstream file("/proc/self/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    // The second field is the program's name in parentheses, which may contain blanks.
    const auto bracket = text.rfind(')');
    if (bracket == std::string::npos) return 0;
    std::istringstream fields(text.substr(bracket + 1));
    std::string field;
    for (int i = 3; i <= start_field; ++i) fields >> field;
    double ticks = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), ticks);
    timespec now{};
    if (error != std::errc() || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
    const double started = ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
    return std::max(0.0, static_cast<double>(now.tv_sec) + now.tv_nsec * 1e-9 - started);
}

}  // namespace camber
