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

// Reports of a process that runs candidates (kernels from a user's own files) to its guard process
// (run_guarded()). A candidate can end its process at any moment; the guard then knows which
// candidate was running, what it did, and that camber itself did not choose to end. In a process
// without a guard, all reports do nothing.

// Time limits for candidates (--timeout).
struct CandidateLimits {
    // For initializers of a library, a block on the executor, and GPU work.
    std::chrono::duration<double> work{20};
    // For a compiler; nullopt: the usual limit of each kind of compilation.
    std::optional<std::chrono::duration<double>> compilation;
};
const CandidateLimits& candidate_limits();
void set_candidate_limits(const CandidateLimits& limits);

// Time limit of a compiler whose usual limit is `usual`.
std::chrono::milliseconds compilation_limit(std::chrono::milliseconds usual);

enum class CandidateWork {
    compiling,  // by a compiler in this process
    loading,    // initializers of its global variables
    running,    // on the executor, block by block
    launching,  // its own function, which launches kernels on a GPU
};

// During its lifetime, code of `candidate` runs in this process. The guard ends the process if that
// takes longer than `limit`. Activities may be nested.
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

// A block begins, or continues after a grid barrier: the time limit counts from here.
void report_block() noexcept;

// Makes stack overflows of the calling thread reportable.
void report_overflows_of_thread();

// Purpose of the work during its lifetime, for the guard's message: "verify it".
class CandidatePurpose {
  public:
    explicit CandidatePurpose(const char* purpose);
    ~CandidatePurpose();
    CandidatePurpose(const CandidatePurpose&) = delete;
    CandidatePurpose& operator=(const CandidatePurpose&) = delete;

  private:
    const char* before_;
};

// Reports that camber itself ends this process, with this exit code, or by this signal.
void report_exit(int code) noexcept;
void report_exit_by_signal(int signal) noexcept;

// From now on, if a candidate ends this process, the guard prints the reason to standard output and
// starts a new process, in which restart() returns these values.
struct Restart {
    int number = 0;  // 0: the first process
    std::size_t mark = 0;
};
void restart_from(const Restart& point) noexcept;
Restart restart() noexcept;

// Passes the text of a result file to the guard, which writes it if a running candidate ends this
// process. `text` contains rescue_reason as placeholder for the guard's message; empty: the file is
// not changed. Empty `path`: there is no file.
inline constexpr std::string_view rescue_reason = "@camber: why the candidate failed@";
void set_rescue(const std::string& path, std::string_view text);
bool is_guarded() noexcept;
bool is_candidate_active() noexcept;  // an activity exists in this process

// Memory that a guarded process shares with its guard.
struct GuardPage {
    static constexpr std::int64_t never = INT64_MAX;
    static constexpr int nothing_reported = -1;
    static constexpr int by_signal = 1 << 16;  // plus the signal

    std::atomic<std::int64_t> deadline{never};  // of the activity, in ns of the monotonic clock
    std::atomic<int> end{nothing_reported};     // exit code, or by_signal + signal
    std::atomic<bool> overflow{false};          // a stack overflowed
    std::atomic<int> restart{0};                // number of restart_from(); 0: the program ends
    std::atomic<std::size_t> restart_mark{0};

    // Innermost activity, or the last one that ended.
    bool any = false;
    bool active = false;
    int work = 0;      // CandidateWork
    double limit = 0;  // s
    char candidate[512] = "";
    char purpose[64] = "";

    // Lock files that this process has acquired; "": unused slot.
    char locks[8][2048] = {};

    // Result file, whose text is in the file `rescue`.
    int rescue = -1;  // file descriptor
    std::size_t rescue_bytes = 0;
    char rescue_path[4096] = "";
};

// Guard page of this process; nullptr: it has no guard.
void set_guard_page(GuardPage* page) noexcept;

// Report that this process has acquired, or released, a lock file.
void report_lock(const std::string& path);
void report_unlock(const std::string& path);

// Execution of candidates in a child process, so that a candidate that calls exit(), crashes, or
// never ends does not determine how camber ends

// Forks. Returns nullopt in the child, which continues with the work and ends with report_exit() or
// report_exit_by_signal(). In the parent, returns the exit code that the child reported, or ends
// this process by the signal that the child reported.
//
// If the child ends without a report, the parent throws Error(wrong_result) with a sentence that
// names the candidate and what happened to it; if no candidate has run yet, the parent ends as the
// child did. It removes the child's processes, temporary folders and lock files, and writes the
// result file that the child provided (set_rescue()).
//
// Signals are forwarded. The child dies with the parent. Must be called while the process has one
// thread and uses no device.
std::optional<int> run_guarded(const CandidateLimits& limits);

// Time limit for kernels from a user's own files on a device. A kernel that loops forever only ends
// with its process.

// During its lifetime, work on a device must end within `seconds` of its submission and of the
// beginning of a wait for it. Otherwise `overdue` is called, on the watch's own thread. The thread
// that submitted the work is blocked forever, or will be; therefore `overdue` may use that thread's
// data, and should end the process. Only one may exist at a time.
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

// Called by device queues when they submit work; no effect if there is no LaunchWatch.
void watch_launch() noexcept;

// The host waits for a device, which is idle afterwards.
class WatchedWait {
  public:
    WatchedWait() noexcept { watch_launch(); }
    ~WatchedWait();
    WatchedWait(const WatchedWait&) = delete;
    WatchedWait& operator=(const WatchedWait&) = delete;
};

}  // namespace camber
