// Protection against candidates, the kernels from a user's own files, which can crash, exit or loop
// forever. A guard process supervises the process that runs them, and a watch limits GPU time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace camber {

// Reports of a process that runs candidates, kernels from a user's own files, to the process that
// guards it (guarded_process.hpp). A candidate can end its process at any moment; the guard then
// knows which candidate was at work, what it did, and that camber itself did not choose the end.
// In a process without a guard, all reports do nothing.

// Time limits for candidates (--timeout).
struct CandidateLimits {
    // For initializers of a library, a block on the executor, and a GPU's work.
    std::chrono::duration<double> work{20};
    // For a compiler; nullopt: each kind of compilation has its own.
    std::optional<std::chrono::duration<double>> compilation;
};
const CandidateLimits& candidate_limits();
void set_candidate_limits(const CandidateLimits& limits);

// The limit for a compiler that usually has `usual`.
std::chrono::milliseconds compilation_limit(std::chrono::milliseconds usual);

enum class CandidateWork {
    compiling,  // by a compiler in this process
    loading,    // initializers of its global variables
    running,    // on the executor, block by block
    launching,  // its own function that launches kernels on a GPU
};

// While one lives, code of `candidate` runs in this process. The guard ends the process if that
// takes longer than `limit`. One may live within the life of another.
class CandidateActivity {
  public:
    CandidateActivity(CandidateWork work, std::string_view candidate,
                      std::chrono::duration<double> limit);
    ~CandidateActivity();
    CandidateActivity(const CandidateActivity&) = delete;
    CandidateActivity& operator=(const CandidateActivity&) = delete;
};

// Registers the name of a candidate's variant.
void add_candidate_name(const std::string& name);

// A launch on the executor: an activity if `launch`, which begins with the variant's name, belongs
// to a candidate.
class CandidateLaunch {
  public:
    explicit CandidateLaunch(const std::string& launch);

  private:
    std::optional<CandidateActivity> activity_;
};

// A block begins, or continues after a barrier of the grid: the limit counts from here.
void report_block() noexcept;

// Lets the calling thread report that a candidate overflowed its stack.
void report_overflows_of_thread();

// The purpose of what runs while one lives, for the guard's sentence: "verify it".
class CandidatePurpose {
  public:
    explicit CandidatePurpose(const char* purpose);
    ~CandidatePurpose();
    CandidatePurpose(const CandidatePurpose&) = delete;
    CandidatePurpose& operator=(const CandidatePurpose&) = delete;

  private:
    const char* before_;
};

// camber itself ends this process, with this exit code, or by this signal.
void report_exit(int code) noexcept;
void report_exit_by_signal(int signal) noexcept;

// From now on, if a candidate ends this process, the guard prints why to standard output and starts
// a new one in its place, in which restart() has these values.
struct Restart {
    int number = 0;  // 0: the process is the first one
    std::size_t mark = 0;
};
void restart_from(const Restart& point) noexcept;
Restart restart() noexcept;

// Hands the guard the text of a results file for the case that a candidate ends this process while
// it is at work. `text` contains rescue_reason where the guard's sentence belongs; empty: the file
// stays as it is. Empty `path`: there is no file.
inline constexpr std::string_view rescue_reason = "@camber: why the candidate failed@";
void set_rescue(const std::string& path, std::string_view text);
bool is_guarded() noexcept;

// Memory that a guarded process shares with its guard.
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

// Runs candidates in a child process, so that a candidate that calls exit(), crashes, or never ends
// does not decide how camber ends.

// Forks. Returns nullopt in the child, which continues with the work and ends with report_exit() or
// report_exit_by_signal(). In the parent, returns the exit code that the child reported, or ends
// this process by the signal that the child reported.
//
// If the child ends without a report, the parent throws Error(wrong_result) with a sentence that
// names the candidate and what happened to it; if no candidate has run yet, the parent ends as the
// child did. It removes the child's processes, temporary folders and lock files, and writes the
// results file that the child handed over (set_rescue()).
//
// Signals are forwarded. The child dies with the parent. To be called while the process has one
// thread and no device.
std::optional<int> run_guarded(const CandidateLimits& limits);

// A limit on how long a device may be busy with kernels of a user's own. Nothing ends a kernel that
// loops for ever but the end of its process.

// While one lives, work on a device must end within `seconds` of its submission, and of the
// beginning of a wait for it. Where it does not, `overdue` is called, on a thread of the watch's
// own: the thread that submitted the work waits for it, or will, and never comes back. So `overdue`
// may use what that thread used, and should end the process. One at a time.
class LaunchWatch {
  public:
    LaunchWatch(double seconds, std::function<void()> overdue);
    ~LaunchWatch();
    LaunchWatch(const LaunchWatch&) = delete;
    LaunchWatch& operator=(const LaunchWatch&) = delete;

  private:
    void watch();

    std::function<void()> overdue_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool ends_ = false;
    std::thread thread_;
};

// What queues of devices say to the watch; nothing where there is none. Work is submitted:
void watch_launch() noexcept;

// The host waits for a device, which has nothing left to do afterwards.
class WatchedWait {
  public:
    WatchedWait() noexcept { watch_launch(); }
    ~WatchedWait();
    WatchedWait(const WatchedWait&) = delete;
    WatchedWait& operator=(const WatchedWait&) = delete;
};

}  // namespace camber
