// Verifier of a case: runs the variant with poisoned outputs, finds cells that were never written,
// and compares the result with the reference before anything is timed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/poison.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Properties by which the workload chooses the tolerance of a variant after so many generations.
Computation computation_of(const Study& study, const Variant& variant, int generations);

class HasNamedArrays;

class Verifier {
  public:
    // Result of a comparison with the reference.
    struct Judged {
        Verification verification;
        std::optional<Flow> flow;         // if the workload's states are flows
        std::optional<FinalState> final;  // the variant's own, if its flow passed as a whole
    };

    // `expected`: the reference's state after study.verified_generations(), starting from
    // `initial`. All arguments must outlive this object.
    Verifier(const Study& study, Queue& queue, const State& initial, const State& expected);

    // Verifies all generations from the start, with outputs that are poisoned before each launch.
    // If the first run could have hidden an unwritten cell, a second run uses the other poison.
    Judged verify(Execution& execution, const Case& chosen);
    // Verifies the recordings that are timed, without poison.
    Judged verify_as_timed(Execution& execution, Launcher& launcher, const Variant& variant);

    // Final state of the case `name`, if its flow passed as a whole; else nullptr. If the study
    // saves states, the state of the first such case, in the study's order, is retained.
    const State* own_state(const std::string& name) const {
        return own_state_ && own_state_->first == name ? &own_state_->second : nullptr;
    }
    // Downloads the state into host memory that was written before, because first writes to new
    // memory are slow.
    State& downloaded(Execution& execution);

  private:
    // Calls `advance` for all generations from the start, and leaves the execution in the final
    // state.
    void compute(Execution& execution, const std::function<void()>& advance);
    // Compares the execution's state with the reference: on the device or, for flows and for states
    // that differ, as a copy in actual_.
    Judged judge(Execution& execution, const Tolerance& tolerance);
    void download(Execution& execution);
    // Names `poison` as the cause of a failed verification if some cell was never written.
    // `run_again` runs the variant with the other poison and leaves its state in actual_.
    void name_unwritten(Verification& failed, Poison poison,
                        const std::function<void()>& run_again);
    // The same for a problem of arrays.
    void name_unwritten_number(const HasNamedArrays& problem, Verification& failed, Poison poison,
                               const std::function<void()>& run_again);
    void keep_own_state(const Case& chosen, State state);
    // Tolerance of the variant relative to the reference.
    Tolerance tolerance_of(const Variant& variant) const;

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    const State& expected_;
    FlowJudge flow_judge_;
    bool hides_poison_;  // with the first poison, in an integer cell
    State actual_;       // empty until the first download
    std::optional<std::pair<std::string, State>> own_state_;  // with the name of its case
    std::vector<std::unique_ptr<Kept>> kept_;
    std::vector<std::unique_ptr<Pinned>> pinned_;
};

}  // namespace camber
