#include "harness/base/available_memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "harness/base/error.hpp"

namespace camber {

std::size_t available_host_memory() {
    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    while (meminfo >> key >> kibibytes) {
        if (key == "MemAvailable:") return kibibytes * 1024;
        meminfo.ignore(64, '\n');
    }
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

void report_memory_shortage(std::string_view what, std::size_t needed, std::size_t available) {
    throw Error(
        ExitCode::unavailable,
        fmt::format("{} needs {} bytes of memory, but {} are available", what, needed, available),
        Remedy::smaller_board);
}

}  // namespace camber
