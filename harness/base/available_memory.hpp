// How much memory there is for one more process, and what is said where that is too little.
#pragma once

#include <cstddef>
#include <string_view>

namespace camber {

// Bytes of memory this machine has free for one more process (Linux: MemAvailable).
std::size_t available_host_memory();

// Throws Error(unavailable) naming `what`, the needed and the available bytes.
[[noreturn]] void report_memory_shortage(std::string_view what, std::size_t needed,
                                         std::size_t available);

}  // namespace camber
