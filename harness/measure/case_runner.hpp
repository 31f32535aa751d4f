// Runs single cases: make ready or skip, verify every cell, then time, then count.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/environment/nvml.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/measure/reference_cache.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/study.hpp"
#include "harness/measure/verifier.hpp"

namespace camber {

// The queue of the study's backend.
std::unique_ptr<Queue> open_queue(const Study& study);

// Holds what the cases of a study share: the queue, the initial state, the reference's result.
class CaseRunner {
  public:
    // Computes the initial state and the reference. Throws Error when they cannot be had, at once
    // where there is too little memory. `meanwhile`: done while the reference is computed on
    // threads of its own; it may use the queue.
    explicit CaseRunner(const Study& study, const std::function<void(CaseRunner&)>& meanwhile = {});
    ~CaseRunner();

    const Study& study() const { return study_; }
    Queue& queue() { return *queue_; }
    const State& initial() const { return initial_; }
    // The reference's state after `generations`: also the state of every variant that passed, but
    // for flows that passed as a whole.
    const State& expected() const { return expected_; }
    // The same in the reference's type, where that is not the cells' and the study saves; else
    // nullptr.
    const State* exact() const { return exact_ ? &*exact_ : nullptr; }
    // As the verifier has it.
    const State* own_state(const std::string& name) const { return verifier_->own_state(name); }
    // How the reference came there, and what it came to.
    const Ledger& ledger() const { return ledger_; }
    // How many of its cells were at work, where the study asks for intervals.
    const ActivityLog& activity() const { return activity_; }

    void use(Instruments instruments) { instruments_ = std::move(instruments); }
    // What could not be measured and why: an instrument that fails is put away, and the runner
    // works on without it.
    const std::map<std::string, std::string>& instrument_failures() const {
        return instruments_.failures;
    }
    // What the time went to from the construction on.
    WallClock& clock() { return clock_; }
    double event_pair_seconds() const { return sampler_->event_pair_seconds(); }

    // Never throws for what the variant does wrong; that is the record's status. `last`: no further
    // round will ask for this case, so that what is measured once is measured now. The record lacks
    // what others have to say of it: which visit it is, rates, machine instructions.
    CaseResult run(const Case& chosen, bool last = true);
    CaseResult run(const Variant& variant) { return run({&variant, {}}); }

    // Notes a case that was measured by another runner, for count(): its counters are to be read.
    void note(const Case& chosen, const results::CaseRecord& record);
    // Reads the counters of the cases noted and of those that ran for the last time since the last
    // call; to be called when nothing is left to be timed.
    void count(const CountingPass::Events& events) { counting_->run(events); }

  private:
    // After all generations, in the reference's type: computed, or kept from an earlier run.
    State reference_state(const GenerationContext& context);
    // Of a case that was measured from the start.
    results::ProgramTime program_time(Execution& execution);
    // Why a case is skipped: this process's own reason, or that of any rank.
    std::optional<std::string> reason_of_all(std::optional<std::string> own) const;
    // Measures a case that is right; fills the record.
    void measure(Execution& execution, Launcher& launcher, CaseResult& result, bool last);
    void time(Execution& execution, Launcher& launcher, results::CaseRecord& record);
    // Records the timeline of a case that has been timed.
    void trace(Execution& execution, CaseResult& result);
    void time_in_intervals(Execution& execution, CaseResult& result);
    std::optional<DeviceState> device_state() const;
    // Makes uploads of it fast, which stays as it is.
    void keep_or_pin(State& state);

    WallClock clock_;
    const Study& study_;
    std::unique_ptr<Queue> queue_;
    State initial_;
    double load_seconds_ = 0;                      // making it
    std::optional<std::optional<double>> saving_;  // seconds, once it was tried
    State expected_;
    std::optional<State> exact_;
    std::shared_future<FinalState> final_;  // of expected_
    Ledger ledger_;
    ActivityLog activity_;
    std::optional<Verifier> verifier_;
    std::map<std::string, Verifier::Judged> verified_;   // by case: once
    std::map<std::string, int> generations_per_sample_;  // by case: the same in every round
    std::vector<std::unique_ptr<Kept>> kept_;
    std::vector<std::unique_ptr<Pinned>> pinned_;
    Instruments instruments_;
    std::optional<Nvml> nvml_;
    std::string pci_bus_id_;
    std::unique_ptr<Sampler> sampler_;
    std::unique_ptr<CountingPass> counting_;
};

}  // namespace camber
