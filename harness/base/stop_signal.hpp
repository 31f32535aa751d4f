// Requests to end, for work that keeps what it has: SIGINT, SIGTERM, SIGHUP, and a time that is
// over.
#pragma once

#include <csignal>

namespace camber {

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

}  // namespace camber
