// Runs single cases: prepares or skips the case, verifies every cell, then measures times and
// counters.
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
#include "harness/measure/correctness/reference_cache.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/measure/long_runs.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/study.hpp"
#include "harness/measure/verifier.hpp"

namespace camber {

// Opens a queue of the study's backend.
std::unique_ptr<Queue> open_queue(const Study& study);

// Owns the data that the cases of a study share: the queue, the initial state and the reference's
// result.
class CaseRunner {
  public:
    // Computes the initial state and the reference. Throws Error if that fails, and immediately if
    // memory is too small. `meanwhile` is called while other threads compute the reference; it may
    // use the queue.
    explicit CaseRunner(const Study& study, const std::function<void(CaseRunner&)>& meanwhile = {});
    ~CaseRunner();

    const Study& study() const { return study_; }
    Queue& queue() { return *queue_; }
    const State& initial() const { return initial_; }
    // Reference state after all generations. It is also the state of every variant that passed,
    // except flows that passed as a whole.
    const State& expected() const { return expected_; }
    // The same state in the reference's type, if that type differs from the cell type and the study
    // saves states; else nullptr.
    const State* exact() const { return exact_ ? &*exact_ : nullptr; }
    // See Verifier::own_state().
    const State* own_state(const std::string& name) const { return verifier_->own_state(name); }
    // Ledger of the reference's conserved quantity.
    const Ledger& ledger() const { return ledger_; }
    // Active cells: of the reference at the bounds of intervals, or of the saved states that a run is
    // summed from; empty for other studies.
    const std::vector<results::Activity>& activity() const {
        return long_runs_ && study_.intervals == 0 ? long_runs_->activity() : activity_.rows();
    }

    void use(Instruments instruments) { instruments_ = std::move(instruments); }
    // Quantities that could not be measured, with the reason. A failed instrument is closed, and
    // the runner continues without it.
    const std::map<std::string, std::string>& instrument_failures() const {
        return instruments_.failures;
    }
    // Wall clock that accounts for all time since construction.
    WallClock& clock() { return clock_; }
    double event_pair_seconds() const { return sampler_->event_pair_seconds(); }

    // Runs one case. If the variant is at fault, the status reports it and nothing is thrown.
    // `last`: no later round includes this case, so measurements that are made only once are made
    // now. The record still lacks the visit's number, rates and instruction counts, which the
    // caller adds.
    CaseResult run(const Case& chosen, bool last = true);
    CaseResult run(const Variant& variant) { return run({&variant, {}}); }

    // Registers a case that another runner measured, so that count() reads its counters.
    void note(const Case& chosen, const results::CaseRecord& record);
    // Reads the counters of all registered cases and of all cases that ran for the last time since
    // the previous call. Must be called after the last timing.
    void count(const CountingPass::Events& events) { counting_->run(events); }

  private:
    // State after all generations, in the reference's type: computed, or read from the cache.
    State reference_state(const GenerationContext& context);
    // Transfer and saving times of a case that was measured from the start.
    results::ProgramTime program_time(Execution& execution);
    // Reason to skip a case: this process's own reason, or that of any rank.
    std::optional<std::string> reason_of_all(std::optional<std::string> own) const;
    // Measures a verified case and completes its record.
    void measure(Execution& execution, Launcher& launcher, CaseResult& result, bool last);
    void time(Execution& execution, Launcher& launcher, const Case& chosen,
              results::CaseRecord& record);
    // Records the timeline of a case after its timing.
    void trace(Execution& execution, CaseResult& result);
    void time_in_intervals(Execution& execution, CaseResult& result);
    void time_kernels_from_states(Execution& execution, CaseResult& result);
    std::optional<DeviceState> device_state() const;
    // Lets the queue keep a copy of `state`, or pins `state`, so that uploads are fast. `state`
    // must not change afterwards.
    void keep_or_pin(State& state);

    WallClock clock_;
    const Study& study_;
    std::unique_ptr<Queue> queue_;
    State initial_;
    double load_seconds_ = 0;                      // to create the initial state
    std::optional<std::optional<double>> saving_;  // seconds, if saving was tried
    State expected_;
    std::optional<State> exact_;
    std::shared_future<FinalState> final_;  // of expected_
    Ledger ledger_;
    ActivityLog activity_;
    std::optional<Verifier> verifier_;
    std::map<std::string, Verifier::Judged> verified_;   // by case name: verified only once
    std::map<std::string, int> generations_per_sample_;  // by case name: the same in every round
    std::vector<std::unique_ptr<Kept>> kept_;
    std::vector<std::unique_ptr<Pinned>> pinned_;
    Instruments instruments_;
    std::optional<Nvml> nvml_;
    std::string pci_bus_id_;
    std::unique_ptr<Sampler> sampler_;
    std::unique_ptr<LongRuns> long_runs_;  // if the study has states
    std::unique_ptr<CountingPass> counting_;
};

}  // namespace camber
