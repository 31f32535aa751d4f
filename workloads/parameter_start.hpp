// What workloads can do whose start, and with it the size of their board, follows from the
// parameters of a run.
#pragma once

#include <string>
#include <string_view>

#include "workloads/workload.hpp"

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
    // What makes the problem smaller, in the words of a remedy: "give a larger dp".
    virtual std::string smaller() const = 0;
    // What a person is told of the start: "DamBreak3D, dp 0.04 m".
    virtual std::string note_for(const ParameterSet& parameters) const = 0;
    // Whether parameters ask for a run that ends by the workload's own rule, and after how many
    // generations such a run ends.
    virtual bool ends_itself(const ParameterSet& parameters) const = 0;
    virtual int own_generations(const State& initial, const GenerationContext& context) const = 0;

    // After how many generations their work comes again: that of samples has whole periods, so that
    // each has as much of everything.
    virtual int period(const ParameterSet& parameters) const = 0;
    // Whether a kernel of this name runs only where a period begins.
    virtual bool begins_period(std::string_view kernel) const = 0;

  protected:
    ~ParameterStart() = default;
};

// nullptr for a workload whose start depends on no parameter.
const ParameterStart* parameter_start(const Workload& workload);

// Where a run with these parameters starts, whichever kind of workload it is of.
State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters);

}  // namespace camber
