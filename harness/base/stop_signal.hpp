// SIGINT and SIGTERM as a wish to end, for work that keeps what it has.
#pragma once

#include <csignal>

namespace camber {

// While one lives, the first of these signals is only noted, and the second ends the program at
// once. A signal that was ignored before stays ignored. One at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

  private:
    struct sigaction before_[2];
};

// The signal that was noted, or 0.
int stop_signal();

// Thrown where work ends because of a signal. No std::exception, so that nothing takes it for a
// failure of the work.
struct Stopped {};

// Throws Stopped where a signal was noted.
void check_stop();

// Ends the program as the noted signal does by default, so that a shell sees why it ended.
[[noreturn]] void end_by_stop_signal();

}  // namespace camber
