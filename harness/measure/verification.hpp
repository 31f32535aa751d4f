// Comparison of a variant's result with the plain reference: cell by cell, or by statistics of the
// whole state for runs that are too long for a comparison of cells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flow_statistics.hpp"
#include "harness/base/state.hpp"
#include "harness/record/verification.hpp"
#include "harness/registry/execution.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// A variant's flow as a whole against the reference's, for runs so long that cells cannot be
// compared one by one.

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

// A variant's final state as a whole against the reference's, for runs so long that values cannot
// be compared one by one.

// Adds to a comparison of values which of its figures are beyond `limits` (BulkFigures), and lets
// it pass where none is. The account of `actual` becomes that of `expected`. Returns what the
// variant came to itself where it passed so.
std::optional<FinalState> judge_figures(const Workload& workload, const State& expected,
                                        State& actual, const std::map<std::string, double>& limits,
                                        Verification& found);

// Every cell of a variant's result against the plain reference; a flow that has taken another
// course, as a whole.

// Compares all fields, bit by bit or within `tolerance`, on `threads` CPU threads; what is no
// number is always wrong. Where only the sum of a field's cells differs, every cell counts as
// differing. `generations` is only recorded.
Verification compare(const State& expected, const State& actual, const Tolerance& tolerance,
                     int generations, int threads);

// The same of an execution's state where it lies on its queue, without a download. nullopt where
// that cannot be done, and wherever a cell or a sum is not within `tolerance`: compare() then tells
// how.
std::optional<Verification> passed_in_place(const State& expected, const Execution& execution,
                                            Queue& queue, const Tolerance& tolerance,
                                            int generations);

// One sentence for a failed verification.
std::string describe(const Verification& verification);

}  // namespace camber
