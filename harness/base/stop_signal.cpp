#include "harness/base/stop_signal.hpp"

#include <atomic>
#include <cstdlib>
#include <iterator>

namespace camber {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM};

// A handler reaches nothing but what is global.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
    if (noted.exchange(signal) == 0) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // takes effect when the handler returns
}

}  // namespace

StopSignals::StopSignals() {
    struct sigaction action {};
    action.sa_handler = note_signal;  // without SA_RESTART: who waits is woken
    sigemptyset(&action.sa_mask);
    for (std::size_t k = 0; k < std::size(signals); ++k) {
        sigaction(signals[k], nullptr, &before_[k]);
        if (before_[k].sa_handler != SIG_IGN) sigaction(signals[k], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    for (std::size_t k = 0; k < std::size(signals); ++k)
        sigaction(signals[k], &before_[k], nullptr);
}

int stop_signal() {
    return noted;
}

void check_stop() {
    if (noted != 0) throw Stopped();
}

void end_by_stop_signal() {
    const int signal = noted;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::_Exit(128 + signal);  // where the signal is blocked
}

}  // namespace camber
