// Process control: requests to stop, output pipes without a reader, resource limits, and available
// host memory.
#pragma once

#include <csignal>
#include <cstddef>
#include <string_view>

namespace camber {

// Requests to end, for work that keeps what it has: SIGINT, SIGTERM, SIGHUP, and a time that is
// over.

// While one lives, the first of these signals is only noted, and a later one ends the program at
// once. A signal that was ignored before stays ignored. Several may live at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
};

// The signal that was noted, or 0.
int stop_signal();

// From now on work is to end so many seconds from now, as by a signal.
void stop_after(double seconds);

// Whether work is to end: a signal was noted, or its time is over.
bool stopping();

// Thrown where work ends because it is to stop. No std::exception, so that nothing takes it for a
// failure of the work.
struct Stopped {};

// Throws Stopped where work is to end.
void check_stop();

// Ends the program as the noted signal does by default, so that a shell sees why it ended.
[[noreturn]] void end_by_stop_signal();

// Output that nobody reads any more, such as that of `camber list | head -1`.

// From here on, writing to a pipe that nobody reads fails with EPIPE and does not end the program
// at once, so that it still removes its temporary files. Programs that it starts are not affected.
void fail_on_broken_pipe();

// True once that has happened.
bool pipe_is_broken();

// Ends the program as a broken pipe does by default.
[[noreturn]] void end_by_broken_pipe();

// Limits of the process (ulimit) that are too low to work under. Some libraries end the program,
// with an exit code of their own, when they cannot open a file; a stack that is too small ends it
// by a signal.

// Raises the limits of open files and of the stack where they are too low and may be raised. Throws
// Error(unavailable) where a limit stays too low.
void require_process_limits();

// How much memory there is for one more process, and what is said where that is too little.

// Bytes of memory this machine has free for one more process (Linux: MemAvailable).
std::size_t available_host_memory();

// Throws Error(unavailable) naming `what`, the needed and the available bytes.
[[noreturn]] void report_memory_shortage(std::string_view what, std::size_t needed,
                                         std::size_t available);

}  // namespace camber
