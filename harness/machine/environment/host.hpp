// Host machine of the device: processor, operating system, memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace camber {

// Absent members: not reported by this system.
struct HostFacts {
    std::optional<std::string> cpu_model;
    int logical_cpus = 0;
    std::optional<int> physical_cores;
    std::optional<int> numa_nodes;
    std::optional<std::string> frequency_governor;  // of CPU 0: "performance", "powersave", ...
    std::optional<std::string> kernel;              // release, e.g. "6.1.0-13-amd64"
    std::optional<std::string> distribution;        // e.g. "Debian GNU/Linux 12 (bookworm)"
    std::optional<std::int64_t> memory_bytes;
};

// Reads /proc, /sys and /etc below `root`; never fails.
HostFacts host_facts(const std::filesystem::path& root = "/");

// Seconds since this process was started; 0 if unavailable.
double process_age_seconds();

}  // namespace camber
