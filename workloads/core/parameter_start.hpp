// Interface of workloads whose initial state, and so the size of their board, follows from run
// parameters.
#pragma once

#include <string>
#include <string_view>

#include "workloads/core/workload.hpp"

namespace camber {

class ParameterStart {
  public:
    // The board that parameters imply. Throws Error for what no run can start from.
    virtual Size size_for(const ParameterSet& parameters) const = 0;
    // `conditions`: with an input, what that has.
    virtual State initial_for(const ParameterSet& parameters,
                              const InitialConditions& conditions) const = 0;
    // Parameters of a problem of the same kind with so many times as many cells, within 1 %. Throws
    // Error(usage) where there are none.
    virtual ParameterSet grown(const ParameterSet& parameters, double times) const = 0;
    // The parameter that says how large the problem is: "dp".
    virtual std::string_view size_parameter() const = 0;
    // Remedy that makes the problem smaller: "give a larger dp".
    virtual std::string smaller() const = 0;
    // Description of the initial state for messages: "DamBreak3D, dp 0.04 m".
    virtual std::string note_for(const ParameterSet& parameters) const = 0;
    // True if the parameters request a run that ends by the workload's own rule; own_generations()
    // is the number of generations of such a run.
    virtual bool ends_itself(const ParameterSet& parameters) const = 0;
    virtual int own_generations(const State& initial, const GenerationContext& context) const = 0;

    // After how many generations their work comes again: that of samples has whole periods, so that
    // each has as much of everything.
    virtual int period(const ParameterSet& parameters) const = 0;
    // True if the kernel of this name runs only at the beginning of a period.
    virtual bool begins_period(std::string_view kernel) const = 0;

  protected:
    ~ParameterStart() = default;
};

// nullptr for a workload whose start depends on no parameter.
const ParameterStart* parameter_start(const Workload& workload);

// Initial state for these parameters, for any kind of workload.
State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters);

}  // namespace camber
