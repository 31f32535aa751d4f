#include "harness/base/process.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"

namespace camber {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

// Global, because a signal handler can access nothing else.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free);

using Clock = std::chrono::steady_clock;
std::atomic<Clock::rep> end_of_time{Clock::time_point::max().time_since_epoch().count()};

// Signals within this time count as one request: timeout(1) sends its signal to the process, and
// then to its process group.
constexpr auto one_wish = std::chrono::milliseconds(200);
std::atomic<Clock::rep> noted_at{0};
static_assert(std::atomic<Clock::rep>::is_always_lock_free);

extern "C" void note_signal(int signal) {
    const Clock::rep now = Clock::now().time_since_epoch().count();  // clock_gettime() is safe here
    if (noted.exchange(signal) == 0) {
        noted_at = now;
        return;
    }
    if (Clock::duration(now - noted_at) < one_wish) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // takes effect when the handler returns
}

// Number of StopSignals objects, and the handlers that the first of them replaced.
std::mutex alive_mutex;
int alive = 0;
struct sigaction before[std::size(signals)];

[[noreturn]] void end_by(int signal) {
    report_exit_by_signal(signal);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::_Exit(128 + signal);  // if the signal is blocked
}

}  // namespace

StopSignals::StopSignals() {
    const std::lock_guard lock(alive_mutex);
    if (alive++ > 0) return;
    struct sigaction action {};
    action.sa_handler = note_signal;  // without SA_RESTART, so that blocking calls are interrupted
    sigemptyset(&action.sa_mask);
    for (std::size_t k = 0; k < std::size(signals); ++k) {
        sigaction(signals[k], nullptr, &before[k]);
        if (before[k].sa_handler != SIG_IGN) sigaction(signals[k], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    const std::lock_guard lock(alive_mutex);
    // After a signal the program is about to end by it. The same request, if it arrives twice, must
    // not end it before its output is written.
    if (--alive > 0 || noted != 0) return;
    for (std::size_t k = 0; k < std::size(signals); ++k) sigaction(signals[k], &before[k], nullptr);
}

int stop_signal() {
    return noted;
}

void stop_after(double seconds) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(seconds));
    end_of_time = end.time_since_epoch().count();
}

bool stopping() {
    return noted != 0 || Clock::now().time_since_epoch().count() >= end_of_time;
}

void check_stop() {
    if (stopping()) throw Stopped();
}

void end_by_stop_signal() {
    end_by(noted);
}

namespace {

volatile std::sig_atomic_t broken = 0;

extern "C" void note_broken_pipe(int) {
    broken = 1;
}

}  // namespace

void fail_on_broken_pipe() {
    struct sigaction action {};
    sigaction(SIGPIPE, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;  // writes then fail as well
    action.sa_handler = note_broken_pipe;      // unlike SIG_IGN, exec() resets it
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, nullptr);
}

bool pipe_is_broken() {
    return broken != 0;
}

void end_by_broken_pipe() {
    report_exit_by_signal(SIGPIPE);
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    std::_Exit(128 + SIGPIPE);  // if the signal is blocked
}

namespace {

// Open files of a run: about a dozen libraries, results, locks, and pipes of a child process.
constexpr rlim_t fewest_files = 32;
constexpr rlim_t wanted_files = 256;
constexpr rlim_t smallest_stack = rlim_t{256} << 10;
constexpr rlim_t wanted_stack = rlim_t{8} << 20;

// Returns the limit, after an attempt to raise one below `wanted`.
rlim_t raised(decltype(RLIMIT_NOFILE) resource, rlim_t wanted) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= wanted) return wanted;
    const rlimit higher{std::min(wanted, limit.rlim_max), limit.rlim_max};
    return setrlimit(resource, &higher) == 0 ? higher.rlim_cur : limit.rlim_cur;
}

// Threads get the stack limit with which the program was started, so raise their default.
void enlarge_stacks_of_threads() {
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    std::size_t bytes = 0;
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < enough &&
        pthread_attr_setstacksize(&attributes, wanted_stack) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

}  // namespace

void require_process_limits() {
    if (const rlim_t files = raised(RLIMIT_NOFILE, wanted_files); files < fewest_files)
        throw Error(
            ExitCode::unavailable,
            fmt::format("this process may open {} files, and camber needs {}: raise the limit "
                        "(ulimit -n {})",
                        files, fewest_files, wanted_files));
    if (const rlim_t stack = raised(RLIMIT_STACK, wanted_stack); stack < smallest_stack)
        throw Error(
            ExitCode::unavailable,
            fmt::format("the stack of this process may have {} KiB, and camber needs {}: raise "
                        "the limit (ulimit -s {})",
                        stack >> 10, smallest_stack >> 10, wanted_stack >> 10));
    enlarge_stacks_of_threads();
}

std::size_t available_host_memory() {
    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    while (meminfo >> key >> kibibytes) {
        if (key == "MemAvailable:") return std::max(kibibytes * 1024, std::size_t{64} << 20);
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
