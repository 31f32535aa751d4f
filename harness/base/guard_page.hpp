// Memory that a guarded process shares with its guard.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace camber {

struct GuardPage {
    static constexpr std::int64_t never = INT64_MAX;
    static constexpr int nothing_reported = -1;
    static constexpr int by_signal = 1 << 16;  // plus the signal

    std::atomic<std::int64_t> deadline{never};  // of the activity, in ns of the monotonic clock
    std::atomic<int> end{nothing_reported};     // exit code, or by_signal + signal
    std::atomic<bool> overflow{false};          // of a stack
    std::atomic<int> restart{0};                // number of restart_from(); 0: the program ends
    std::atomic<std::size_t> restart_mark{0};

    // Innermost activity, or the last one that ended.
    bool any = false;
    bool active = false;
    int work = 0;      // CandidateWork
    double limit = 0;  // s
    char candidate[512] = "";
    char purpose[64] = "";

    // Lock files that this process holds; "": unused.
    char locks[8][2048] = {};

    // Results file, whose text is in the file `rescue`.
    int rescue = -1;  // descriptor
    std::size_t rescue_bytes = 0;
    char rescue_path[4096] = "";
};

// The page of this process; nullptr: it has no guard.
GuardPage* guard_page() noexcept;
void set_guard_page(GuardPage* page) noexcept;

// A lock file that this process holds from now on, or until now.
void report_lock(const std::string& path);
void report_unlock(const std::string& path);

}  // namespace camber
