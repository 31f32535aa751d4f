// Optional interfaces of workloads (WorkloadCapabilities), for properties that only some have:
// initial states from parameters, runs that end by themselves, comparison by bulk figures or by
// whole flows, alternative references; and errors of runs that cannot continue.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// A lava flow as a whole. Long runs are compared as flows if rounding errors have changed the
// course of the flow, so that single cells cannot be compared.
struct Flow {
    // Thickness of each cell, row by row, m; above 0 where the flow covers the cell.
    std::vector<double> thickness;
    // One flag per cell, row by row; nonzero if the flow has reached the cell at any time.
    std::vector<std::uint8_t> reached;
    // Actual mass, and the mass expected from the initial state, the emission up to the flow's own
    // time, and the losses. Both are sums of thicknesses, m.
    double mass = 0;
    double supplied = 0;
    double supplied_error = 0;  // maximum error of `supplied`, m
    // Simulated time, s, if the flow itself determines the length of its steps.
    std::optional<double> time = std::nullopt;
};

// Interface of workloads whose initial state, and therefore the board size, follows from run
// parameters.
class ParameterStart {
  public:
    // Board size for `parameters`. Throws Error if no run can start from them.
    virtual Size size_for(const ParameterSet& parameters) const = 0;
    // Initial state for `parameters`. If `conditions` has an input, the state is read from it.
    virtual State initial_for(const ParameterSet& parameters,
                              const InitialConditions& conditions) const = 0;
    // Parameters of a problem of the same kind with `times` as many cells, within 1 %. Throws
    // Error(usage) if there are none.
    virtual ParameterSet grown(const ParameterSet& parameters, double times) const = 0;
    // Name of the parameter that sets the problem size: "dp".
    virtual std::string_view size_parameter() const = 0;
    // Remedy that makes the problem smaller: "give a larger dp".
    virtual std::string smaller() const = 0;
    // Description of the initial state for messages: "DamBreak3D, dp 0.04 m".
    virtual std::string note_for(const ParameterSet& parameters) const = 0;

    // Number of generations after which the sequence of kernels repeats. Samples contain whole
    // periods, so that all samples do the same work.
    virtual int period(const ParameterSet& parameters) const = 0;
    // True if the kernel of this name runs only at the beginning of a period.
    virtual bool begins_period(std::string_view kernel) const = 0;

  protected:
    ~ParameterStart() = default;
};

// Initial state for these parameters, for any kind of workload.
State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters);

// Interface of workloads with runs that end by the workload's own rule.
class SelfEnding {
  public:
    // True if the parameters request such a run.
    virtual bool ends_itself(const ParameterSet& parameters) const = 0;
    // Number of generations until such a run from `initial` ends.
    virtual int own_generations(const State& initial, const GenerationContext& context) const = 0;

  protected:
    ~SelfEnding() = default;
};

// Interface of workloads whose particle trajectories diverge from the reference if sums are added
// in another order: long runs are compared by figures of the whole run.
class BulkFigures {
  public:
    // Limits by figure name: maximum relative difference between a final state's account and the
    // reference's. If empty, states are compared value by value.
    virtual std::map<std::string, double> figure_limits(const Computation& computation) const = 0;

  protected:
    ~BulkFigures() = default;
};

// Thrown by a reference if a run cannot continue, such as that of an unstable fluid. Contains the
// last state that was computed, and
// the number of its generation, counted from the run's start.
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
    std::shared_ptr<const State> last_;  // shared, because exceptions are copied
    std::shared_ptr<const ParameterSet> parameters_;
    int generations_;
};

// Alternative implementations of a workload's reference: the same result by other code, timed
// beside it.

// Called at the end of each pass of a generation with the pass' name; called with "" before the
// first.
using PassEnded = std::function<void(std::string_view pass)>;

// Reference that keeps working lists from step to step and changes its state in place.
class InPlaceReference {
  public:
    virtual ~InPlaceReference() = default;
    // Computes the step that follows `number` steps from the start. Steps are made in order.
    virtual void step(int number) = 0;
};

struct ReferenceForm {
    std::string_view name;     // "five_passes"
    std::string_view summary;  // one line; both strings have static storage
    ElementType cell = ElementType::float32;
    // Same computation as Workload::generation, apart from rounding. Null if `start` is set.
    std::function<void(const State& from, State& to, const GenerationContext& context,
                       const PassEnded& ended)>
        generation;
    // Reference that computes in `state`, which must outlive it.
    std::function<std::unique_ptr<InPlaceReference>(State& state, const GenerationContext& context)>
        start = {};
    bool is_exact = false;      // the same bits as Workload::generation
    bool on_all_cores = false;  // uses all CPU threads instead of one
};

class HasReferenceForms {
  public:
    virtual std::vector<ReferenceForm> reference_forms() const = 0;

  protected:
    ~HasReferenceForms() = default;
};

// Interface of lava workloads: their states are flows, which are compared as a whole and with the
// real event. Runs start from an eruption's folder and save such a folder.
class Eruption {
  public:
    // Converts a state to a flow. The state's account must be the reference's after the same number
    // of generations.
    virtual Flow flow(const State& state, const ParameterSet& parameters) const = 0;
    // One flag per cell, row by row; nonzero if the real event covered the cell. Empty if the input
    // does not contain the real event.
    virtual std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const = 0;

  protected:
    ~Eruption() = default;
};

}  // namespace camber
