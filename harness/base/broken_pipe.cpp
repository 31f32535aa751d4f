#include "harness/base/broken_pipe.hpp"

#include <csignal>
#include <cstdlib>

#include "harness/base/candidate_guard.hpp"

namespace camber {

namespace {

volatile std::sig_atomic_t broken = 0;

extern "C" void note_broken_pipe(int) {
    broken = 1;
}

}  // namespace

void fail_on_broken_pipe() {
    struct sigaction action {};
    sigaction(SIGPIPE, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;  // writing fails then, too
    action.sa_handler = note_broken_pipe;      // unlike SIG_IGN, exec() sets it back
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
    std::_Exit(128 + SIGPIPE);  // where the signal is blocked
}

}  // namespace camber
