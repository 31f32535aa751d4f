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
#include "harness/measure/sampler.hpp"
#include "harness/measure/study.hpp"
#include "harness/measure/verification.hpp"

namespace camber {

class Verifier {
  public:
    // What a comparison with the reference found.
    struct Judged {
        Verification verification;
        std::optional<Flow> flow;         // where states are flows
        std::optional<FinalState> final;  // its own, where the flow passed as a whole
    };

    // `expected`: the reference's state after the study's generations, from `initial`. All of them
    // outlive this.
    Verifier(const Study& study, Queue& queue, const State& initial, const State& expected);

    // Verifies all generations from the start, with outputs that are poisoned before each launch. A
    // second run with the other poison follows if the first one could have hidden a cell that was
    // never written.
    Judged verify(Execution& execution, const Case& chosen);
    // Verifies what is timed: nothing is poisoned, and the recordings are the timed ones.
    Judged verify_as_timed(Execution& execution, Launcher& launcher, const Variant& variant);

    // The state after all generations of a case whose flow passed as a whole, by name. Kept where
    // the study saves, of the first such case in the study's order; nullptr for others.
    const State* own_state(const std::string& name) const {
        return own_state_ && own_state_->first == name ? &own_state_->second : nullptr;
    }
    // A state on the host, in memory that was written before: new memory would be slow.
    State& downloaded(Execution& execution);

  private:
    // Leaves the execution in the state after all generations from the start, through which
    // `advance` goes.
    void compute(Execution& execution, const std::function<void()>& advance);
    // The execution's state against the reference, in place, or as a copy in actual_ where that
    // needs one: of flows, and where a cell differs.
    Judged judge(Execution& execution, const Tolerance& tolerance);
    void download(Execution& execution);
    // Names the cause of a failed verification with `poison` if it is a cell that was never
    // written. `run_again`: leaves the state of a run with the other poison in actual_.
    void name_unwritten(Verification& failed, Poison poison,
                        const std::function<void()>& run_again);
    void keep_own_state(const Case& chosen, State state);
    // How far the variant may be from the reference.
    Tolerance tolerance_of(const Variant& variant) const;

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    const State& expected_;
    FlowJudge flow_judge_;
    bool hides_poison_;                                       // the first one, in an integer
    State actual_;                                            // empty until a state is downloaded
    std::optional<std::pair<std::string, State>> own_state_;  // and whose it is
    std::vector<std::unique_ptr<Kept>> kept_;
    std::vector<std::unique_ptr<Pinned>> pinned_;
};

}  // namespace camber
