// An execution as it is verified: what a launch must write is made wrong before it.
#pragma once

#include "harness/base/stop_signal.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

class PoisonedExecution final : public Execution {
  public:
    // `step`: generations per launch.
    PoisonedExecution(Execution& execution, int step) : execution_(execution), step_(step) {}

    void upload(const State& initial) override { execution_.upload(initial); }
    void download(State& result) override { execution_.download(result); }
    void poison() override { execution_.poison(); }
    void advance(int generations) override {
        for (int done = 0; done < generations; done += step_) {
            check_stop();
            execution_.poison();
            execution_.advance(step_);
        }
    }

  private:
    Execution& execution_;
    int step_;
};

}  // namespace camber
