// Tells what the time of a session goes to.
#pragma once

#include <chrono>

#include "harness/record/wall_time.hpp"

namespace camber {

// Of one thread. Time goes to one part at once: to that of the innermost span.
class WallClock {
  public:
    using Part = double results::WallTime::*;

    // While it lives, time goes to `part`; then to what it went to before.
    class Span {
      public:
        Span(WallClock& clock, Part part) : clock_(clock), before_(clock.part_) {
            clock_.turn_to(part);
        }
        ~Span() { clock_.turn_to(before_); }
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;

      private:
        WallClock& clock_;
        Part before_;
    };

    // From now on, outside of spans. It begins with `opening`.
    void turn_to(Part part) {
        const Clock::time_point now = Clock::now();
        spent_.*part_ += seconds(turned_, now);
        turned_ = now;
        part_ = part;
    }

    // So far. The total is measured by itself.
    results::WallTime read() const {
        results::WallTime read = spent_;
        const Clock::time_point now = Clock::now();
        read.*part_ += seconds(turned_, now);
        read.total = seconds(start_, now);
        return read;
    }

  private:
    using Clock = std::chrono::steady_clock;

    static double seconds(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }

    Clock::time_point start_ = Clock::now();
    Clock::time_point turned_ = start_;
    Part part_ = &results::WallTime::opening;
    results::WallTime spent_;
};

}  // namespace camber
