// Variants by name, and their results on the executor.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

inline const Variant& executor_variant(const std::string& name, ElementType cell) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == name && variant.info.cell == cell &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

// Run of a variant from `initial`.
class ExecutorRun {
  public:
    ExecutorRun(const Variant& variant, const State& initial, const ParameterSet& set,
                int cpu_threads = 1)
        : queue_(cpu_threads),
          problem_{initial.field("altitude").size(), Boundary::dead, variant.info.cell, set},
          state_(initial),
          execution_(variant.factories.at(Backend::simt)(queue_, problem_)) {
        execution_->upload(initial);
    }

    const State& after(int generations) {
        execution_->advance(generations);
        execution_->download(state_);
        return state_;
    }
    simt::HostQueue& queue() { return queue_; }

  private:
    simt::HostQueue queue_;
    Problem problem_;
    State state_;
    std::unique_ptr<Execution> execution_;
};

}  // namespace camber
