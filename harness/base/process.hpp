// Process control: requests to stop, output pipes without a reader, resource limits, and available
// host memory.
#pragma once

#include <csignal>
#include <cstddef>
#include <string_view>

namespace camber {

// Stop requests, for work that saves its results before it ends: SIGINT, SIGTERM, SIGHUP, and a
// time limit

// During its lifetime, the first of these signals is only noted, and a later one ends the program
// immediately. A signal that was ignored before remains ignored. Several objects may exist at a
// time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
};

// Returns the noted signal, or 0.
int stop_signal();

// Requests a stop in `seconds` seconds, as by a signal.
void stop_after(double seconds);

// Returns true if a stop is requested: a signal was noted, or the time is over.
bool stopping();

// Thrown when work ends because of a stop request. Not derived from std::exception, so that it is
// not handled as a failure of the work.
struct Stopped {};

// Throws Stopped if a stop is requested.
void check_stop();

// Ends the program by the noted signal's default action, so that a shell sees the reason.
[[noreturn]] void end_by_stop_signal();

// Output pipes without a reader, as in `camber list | head -1`

// Makes writing to a pipe without a reader fail with EPIPE instead of ending the program
// immediately, so that it still removes its temporary files. Child processes are not affected.
void fail_on_broken_pipe();

// Returns true once that has happened.
bool pipe_is_broken();

// Ends the program as a broken pipe does by default.
[[noreturn]] void end_by_broken_pipe();

// Resource limits of the process (ulimit) that are too low. Some libraries end the program, with an
// exit code of their own, if they cannot open a file; a stack that is too small ends it by a
// signal.

// Raises the limits of open files and of the stack if they are too low. Throws Error(unavailable)
// if a limit cannot be raised enough.
void require_process_limits();

// Available host memory

// Bytes of memory available to a process (Linux: MemAvailable), at least 64 MiB: a virtual machine
// whose memory grows with use reports 0 for moments.
std::size_t available_host_memory();

// Throws Error(unavailable) naming `what`, the needed and the available bytes.
[[noreturn]] void report_memory_shortage(std::string_view what, std::size_t needed,
                                         std::size_t available);

}  // namespace camber
