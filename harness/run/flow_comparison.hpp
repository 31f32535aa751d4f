// A variant's flow as a whole against the reference's, for runs so long that cells cannot be
// compared one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flow_statistics.hpp"
#include "workloads/workload.hpp"

namespace camber {

// How far a flow is from another. Shares are relative_difference().
struct FlowDifference {
    FlowStatistics cells;
    double mass_error = 0;                  // of its mass from what it was supplied with
    double mass_difference = 0;             // of the two masses
    std::optional<double> time_difference;  // of the two times, where they depend on the flow
    std::optional<double> event_fit;        // with the real event, where it is known
};

// `real`: not 0 where the real event passed, empty where that is not known.
FlowDifference compare(const Flow& expected, const Flow& actual,
                       const std::vector<std::uint8_t>& real = {});

// Of several runs of one variant, each against the first: the worst of every figure.
struct FlowSpread {
    int runs = 1;
    FlowDifference worst;  // without mass_error and event_fit, which each run has of its own

    void add(const FlowDifference& from_first);
};

// What can be said of a variant's flow.
struct FlowVerdict {
    std::optional<FlowDifference> difference;  // absent: the state is no flow
    // Present where cells differ and the flow is judged as a whole instead. The mass error's limit
    // includes what its supply is uncertain by.
    std::optional<FlowLimits> limits;
    std::vector<std::string> exceeded;  // what is beyond the limits, a phrase each
    // What the variant came to itself, where it passed as a whole; its account is the reference's.
    std::optional<FinalState> final;
    std::optional<FlowSpread> spread;  // where runs of the variant differ

    bool passed() const { return limits && exceeded.empty(); }
};

// The limits for this flow: those given, where they hold for a flow as large as `expected`.
std::optional<FlowLimits> limits_for(const std::optional<FlowLimits>& given, const Flow& expected,
                                     const Flow& actual);

// What of `difference` is beyond `limits`, a phrase each.
std::vector<std::string> exceeded(const FlowDifference& difference, const FlowLimits& limits);

// Cells that nothing excuses, however the flow went: those of real fields that are no finite
// number, and those that differ in fields that are not real or that no generation writes.
std::int64_t broken_cells(const State& expected, const State& actual, const Workload& workload);

// "; as a flow too: ..." for a verdict that failed, else empty.
std::string describe_failure(const FlowVerdict& verdict);

// What judges the flows of a study's variants.
class FlowJudge {
  public:
    // `expected`: the reference's state after all generations.
    FlowJudge(const Workload& workload, const InitialConditions& initial,
              const ParameterSet& parameters, const State& expected);

    // Absent where states of the workload are no flows. The account of `state` becomes the
    // reference's.
    std::optional<Flow> flow_of(State& state) const;

    // `cells_differ`: by more than `tolerance` allows.
    FlowVerdict judge(const State& actual, const Flow& flow, const Tolerance& tolerance,
                      bool cells_differ) const;

  private:
    const Workload& workload_;
    const ParameterSet& parameters_;
    const State& expected_state_;
    std::optional<Flow> expected_;
    std::vector<std::uint8_t> real_;
};

}  // namespace camber
