// What is measured of the cases after all of them are timed.
#pragma once

#include <functional>
#include <vector>

#include "harness/measure/case_counter.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/measure/kernel_timer.hpp"
#include "harness/measure/wall_clock.hpp"

namespace camber {

// Counters slow down what is timed beside them, and it takes 0.15 s to enable them or to change
// what they count. So they are read after the timing, one kind of all cases after another.
class CountingPass {
  public:
    // `counting`: `done` of `total` readings are done, and this case's is next. `counted`: all that
    // is counted of a case is in its record.
    struct Events {
        std::function<void(const CaseResult& result, int done, int total)> counting;
        std::function<void(const CaseResult& result)> counted;
        // Whether other cases are timed in this process later. Then kernels of graphs have no
        // times of their own, as these would slow the others down (see Instruments::open_late).
        bool more_to_time = false;
    };

    // All of them outlive the pass. `initial`: the state that a launch starts from.
    CountingPass(const Study& study, Queue& queue, const State& initial, Instruments& instruments,
                 WallClock& clock)
        : study_(study),
          queue_(queue),
          initial_(initial),
          instruments_(instruments),
          clock_(clock),
          counter_(study, queue, initial, instruments) {}

    // Notes a case that is right and timed, if there is anything to count of it.
    void add(const CaseResult& result);

    // Counts the cases noted so far, and forgets them. Returns early when it is to stop.
    void run(const Events& events);

  private:
    // Of a case whose execution is in the initial state.
    using Reading = std::function<void(Execution& execution, CaseResult& result)>;

    void read(const Events& events, WallClock::Part part, const Reading& reading);
    // Whether kernels are still to be timed.
    bool open_instruments(const Events& events);

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    Instruments& instruments_;
    WallClock& clock_;
    CaseCounter counter_;
    std::vector<CaseResult> cases_;
    int done_ = 0;
    int total_ = 0;
};

}  // namespace camber
