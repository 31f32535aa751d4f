// Optional interfaces of workloads, for properties that only some have: start from parameters,
// comparison by bulk figures or whole flows, further references, and errors of broken runs.
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

// Comparison of whole flows, for runs in which rounding errors have changed the flow's course so
// that single cells cannot be compared.
struct Flow {
    // Thickness of each cell, row by row, m: above 0 where the flow covers it.
    std::vector<double> thickness;
    // Not 0 for cells that have been reached at any time, of each cell, row by row.
    std::vector<std::uint8_t> reached;
    // Actual mass, and the mass that should be there by the initial state, the emission up to the
    // flow's own time, and the losses: sums of thicknesses, m.
    double mass = 0;
    double supplied = 0;
    double supplied_error = 0;  // how far `supplied` may be from what it says, m
    // Since the start, s, where the flow decides on its steps' length.
    std::optional<double> time = std::nullopt;
};

// Interface of workloads whose initial state, and so the size of their board, follows from run
// parameters.
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

// Interface of workloads whose particles diverge from the reference if sums are added in another
// order: long runs are judged by figures of the whole run.
class BulkFigures {
  public:
    // How far figures of a final state's account may be from the reference's, as a share of it, by
    // name. Empty: states are compared value by value.
    virtual std::map<std::string, double> figure_limits(const Computation& computation) const = 0;

  protected:
    ~BulkFigures() = default;
};

// nullptr for workloads that are always compared value by value.
const BulkFigures* bulk_figures(const Workload& workload);

// Error for runs whose state cannot continue, such as an unstable fluid.

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

// Alternative implementations of a workload's reference: the same result by other code, timed
// beside it.

// Told of the passes of a generation: the name of each as it ends, after "" where the first begins.
using PassEnded = std::function<void(std::string_view pass)>;

struct ReferenceForm {
    std::string_view name;     // "five_passes"
    std::string_view summary;  // what it does, in a line; both for as long as the program runs
    ElementType cell = ElementType::float32;
    // Same computation as Workload::generation, apart from rounding.
    std::function<void(const State& from, State& to, const GenerationContext& context,
                       const PassEnded& ended)>
        generation;
};

class HasReferenceForms {
  public:
    virtual std::vector<ReferenceForm> reference_forms() const = 0;

  protected:
    ~HasReferenceForms() = default;
};

// Interface of lava workloads: their states are flows, which are compared as a whole and with the
// real event. Runs start from an eruption's folder, which may be tiled and get additional lava
// (InitialConditions), and save such a folder.
class Eruption {
  public:
    // The state as a flow. Its account must be that of the reference after as many generations.
    virtual Flow flow(const State& state, const ParameterSet& parameters) const = 0;
    // Not 0 for the cells that the real event covered, row by row, where the input knows them; else
    // empty.
    virtual std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const = 0;
    // True if the parameters request a run that ends by the workload's own rule; own_generations()
    // is the number of generations until such a run from `initial` ends.
    virtual bool ends_itself(const ParameterSet&) const { return false; }
    virtual int own_generations(const State& /*initial*/, const GenerationContext&) const {
        return 0;
    }

  protected:
    ~Eruption() = default;
};

}  // namespace camber
