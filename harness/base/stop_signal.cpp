#include "harness/base/stop_signal.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <mutex>

#include "harness/base/candidate_guard.hpp"

namespace camber {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

// A handler reaches nothing but what is global.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free);

using Clock = std::chrono::steady_clock;
std::atomic<Clock::rep> end_of_time{Clock::time_point::max().time_since_epoch().count()};

// Signals that come so soon after each other are one wish: timeout(1) sends its signal to the
// process, and then to the group that it is in.
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

// How many StopSignals live, and what the first of them found.
std::mutex alive_mutex;
int alive = 0;
struct sigaction before[std::size(signals)];

[[noreturn]] void end_by(int signal) {
    report_exit_by_signal(signal);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::_Exit(128 + signal);  // where the signal is blocked
}

}  // namespace

StopSignals::StopSignals() {
    const std::lock_guard lock(alive_mutex);
    if (alive++ > 0) return;
    struct sigaction action {};
    action.sa_handler = note_signal;  // without SA_RESTART: who waits is woken
    sigemptyset(&action.sa_mask);
    for (std::size_t k = 0; k < std::size(signals); ++k) {
        sigaction(signals[k], nullptr, &before[k]);
        if (before[k].sa_handler != SIG_IGN) sigaction(signals[k], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    const std::lock_guard lock(alive_mutex);
    if (--alive > 0) return;
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

}  // namespace camber
