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

// Comparison of a variant's flow as a whole with the reference's, for runs so long that single
// cells cannot be compared.

// `real`: nonzero for cells that the real event covered; empty if unknown.
FlowDifference compare(const Flow& expected, const Flow& actual,
                       const std::vector<std::uint8_t>& real = {});

// Limits for flows of this size: `given`, if `expected` has enough covered cells; else nullopt.
std::optional<FlowLimits> limits_for(const std::optional<FlowLimits>& given, const Flow& expected,
                                     const Flow& actual);

// Returns a phrase for each figure of `difference` that exceeds its limit.
std::vector<std::string> exceeded(const FlowDifference& difference, const FlowLimits& limits);

// Counts cells that are wrong however the flow went: nonfinite values in real fields, and
// differences in fields that are not real or that no generation writes.
std::int64_t broken_cells(const State& expected, const State& actual, const Workload& workload);

// "; the flow as a whole differs too: ..." if `exceeded` is not empty, else "".
std::string describe_failure(const std::vector<std::string>& exceeded);

// Judges the flows of a study's variants.
class FlowJudge {
  public:
    // `expected`: the reference's state after all generations.
    FlowJudge(const Workload& workload, const InitialConditions& initial,
              const ParameterSet& parameters, const State& expected);

    // True if the states of the workload are flows.
    bool judges() const { return expected_.has_value(); }

    // nullopt if the states of the workload are not flows. Replaces the account of `state` by the
    // reference's.
    std::optional<Flow> flow_of(State& state) const;

    // Adds the comparison of flows to a comparison of cells within `tolerance`. If cells differ and
    // the flow is large enough to be judged as a whole, the flow decides. The limit of the mass
    // error includes the uncertainty of the supply. Returns the variant's own final state, with the
    // reference's account, if it passed as a whole.
    std::optional<FinalState> judge(const State& actual, const Flow& flow,
                                    const Tolerance& tolerance, Verification& found) const;

  private:
    const Workload& workload_;
    const ParameterSet& parameters_;
    const State& expected_state_;
    std::optional<Flow> expected_;
    std::vector<std::uint8_t> real_;
};

// Comparison of a variant's final state as a whole with the reference's, for runs so long that
// single values cannot be compared.

// Adds the figures (BulkFigures) that exceed `limits` to a comparison of values, which passes if
// there are none. Replaces the account of `actual` by that of `expected`. Returns the variant's own
// final state if it passed this way.
std::optional<FinalState> judge_figures(const Workload& workload, const State& expected,
                                        State& actual, const std::map<std::string, double>& limits,
                                        Verification& found);

// Comparison of every cell of a variant's result with the plain reference.

// Compares all fields, bit by bit or within `tolerance`, on `threads` CPU threads; NaN always
// fails. If only the sum of a field's cells differs, every cell counts as different. `generations`
// is only recorded.
Verification compare(const State& expected, const State& actual, const Tolerance& tolerance,
                     int generations, int threads);

// Same comparison in device memory, without a download. nullopt if that is not possible, or if any
// cell or sum exceeds `tolerance`; then compare() determines the differences.
std::optional<Verification> passed_in_place(const State& expected, const Execution& execution,
                                            Queue& queue, const Tolerance& tolerance,
                                            int generations);

// One sentence about a failed verification.
std::string describe(const Verification& verification);

}  // namespace camber
