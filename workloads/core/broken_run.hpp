// Error for runs whose state cannot continue, such as an unstable fluid.
#pragma once

#include <memory>
#include <utility>

#include "harness/base/error.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Thrown by a reference, with the last state that it could compute and how many generations that
// is from the run's start.
class BrokenRun : public Error {
  public:
    BrokenRun(const Error& why, const State& last, const GenerationContext& context)
        : Error(why),
          last_(std::make_shared<const State>(last)),
          parameters_(std::make_shared<const ParameterSet>(context.parameters)),
          generations_(context.number) {}

    const State& last() const { return *last_; }
    const ParameterSet& parameters() const { return *parameters_; }
    int generations() const { return generations_; }

  private:
    std::shared_ptr<const State> last_;  // an exception is copied
    std::shared_ptr<const ParameterSet> parameters_;
    int generations_;
};

}  // namespace camber
