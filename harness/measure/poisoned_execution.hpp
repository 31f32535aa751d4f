// An execution as it is verified: its outputs are poisoned before each launch.
#pragma once

#include "harness/base/stop_signal.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

class PoisonedExecution final : public Execution {
  public:
    // `step`: generations per launch.
    PoisonedExecution(Execution& execution, int step, Poison poison)
        : execution_(execution), step_(step), poison_(poison) {}

    void upload(const State& initial) override { execution_.upload(initial); }
    void download(State& result) override { execution_.download(result); }
    void poison(Poison poison) override { execution_.poison(poison); }
    void advance(int generations) override {
        for (int done = 0; done < generations; done += step_) {
            check_stop();
            execution_.poison(poison_);
            execution_.advance(step_);
        }
    }

  private:
    Execution& execution_;
    int step_;
    Poison poison_;
};

}  // namespace camber
