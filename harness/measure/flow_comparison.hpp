// A variant's flow as a whole against the reference's, for runs so long that cells cannot be
// compared one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flow_statistics.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// `real`: not 0 where the real event passed, empty where that is not known.
FlowDifference compare(const Flow& expected, const Flow& actual,
                       const std::vector<std::uint8_t>& real = {});

// The limits for this flow: those given, where they hold for a flow as large as `expected`.
std::optional<FlowLimits> limits_for(const std::optional<FlowLimits>& given, const Flow& expected,
                                     const Flow& actual);

// What of `difference` is beyond `limits`, a phrase each.
std::vector<std::string> exceeded(const FlowDifference& difference, const FlowLimits& limits);

// Cells that nothing excuses, however the flow went: those of real fields that are no finite
// number, and those that differ in fields that are not real or that no generation writes.
std::int64_t broken_cells(const State& expected, const State& actual, const Workload& workload);

// "; the flow as a whole differs too: ..." where something is exceeded, else empty.
std::string describe_failure(const std::vector<std::string>& exceeded);

// What judges the flows of a study's variants.
class FlowJudge {
  public:
    // `expected`: the reference's state after all generations.
    FlowJudge(const Workload& workload, const InitialConditions& initial,
              const ParameterSet& parameters, const State& expected);

    // Whether states of the workload are flows.
    bool judges() const { return expected_.has_value(); }

    // Absent where states of the workload are no flows. The account of `state` becomes the
    // reference's.
    std::optional<Flow> flow_of(State& state) const;

    // Adds to a comparison of cells, within `tolerance`, what can be said of the flow. Where cells
    // differ, and a flow as large as this may then be judged as a whole, that decides; the mass
    // error's limit includes what its supply is uncertain by. Returns what the variant came to
    // itself where it passed as a whole; its account is the reference's.
    std::optional<FinalState> judge(const State& actual, const Flow& flow,
                                    const Tolerance& tolerance, Verification& found) const;

  private:
    const Workload& workload_;
    const ParameterSet& parameters_;
    const State& expected_state_;
    std::optional<Flow> expected_;
    std::vector<std::uint8_t> real_;
};

}  // namespace camber
