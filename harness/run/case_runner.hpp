// Runs single cases: make ready or skip, verify every cell, then time, then count.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "analysis/statistics.hpp"
#include "harness/counters/kernel_clock.hpp"
#include "harness/counters/range_profiler.hpp"
#include "harness/environment/nvml.hpp"
#include "harness/model/prediction.hpp"
#include "harness/run/flow_comparison.hpp"
#include "harness/run/ledger.hpp"
#include "harness/run/sampler.hpp"
#include "harness/run/study.hpp"
#include "harness/run/verification.hpp"

namespace camber {

enum class Status { ok, skipped, failed };

// What the device's own clock says of one of a variant's kernels.
struct KernelTimes {
    KernelFacts facts;
    std::vector<double> samples_ns;       // one per launch
    std::optional<double> clock_bias_ns;  // taken off every sample, where it was measured
};

struct CaseResult {
    const Variant* variant = nullptr;
    Conditions conditions;
    std::string name;
    Status status = Status::skipped;
    std::string reason;  // why it was skipped or failed
    std::optional<Verification> verification;
    Samples samples;
    SampleStatistics statistics;  // of samples.ns
    std::vector<KernelFacts> kernels;
    std::optional<std::string> clock_fall;   // a sentence, when the clock fell more than 2 %
    std::vector<KernelTimes> kernel_times;   // empty where the device's clock cannot be read
    int kernel_times_generations = 0;        // computed by all launches of kernel_times
    std::map<std::string, double> counters;  // of the first launch, by metric
    // Of the launch that was counted, from the same data; absent where nothing was counted or the
    // variant has no executor form.
    std::optional<Prediction> model;
    std::vector<CounterComparison> model_comparisons;
    double cpu_seconds = 0;  // host time spent measuring

    bool timed() const { return !samples.ns.empty(); }
    double seconds_per_generation() const {
        return statistics.median * 1e-9 / samples.generations_per_sample;
    }
};

// What measures besides events. Absent instruments are done without.
struct Instruments {
    std::unique_ptr<counters::CounterReader> counters;
    std::unique_ptr<counters::KernelClock> kernel_clock;
    // Nanoseconds of each of so many kernels that the work launches, by a counter: the clock is
    // corrected by it.
    std::function<std::vector<double>(std::size_t kernels, const std::function<void()>& work)>
        kernel_durations;
    // Why an instrument could not be had, by what is missing because of it ("counters").
    std::map<std::string, std::string> failures;
};

// The instruments that a study asks for, as far as they can be had. Throws Error for a metric that
// does not exist. The device's queue must be open.
Instruments open_instruments(const Study& study);

// What a person reads about Instruments::failures: one sentence for each cause.
std::vector<std::string> describe_failures(const std::map<std::string, std::string>& failures);

// One sentence for each quantity that the model predicts exactly and the counters read otherwise.
std::vector<std::string> describe_differences(const CaseResult& result);

// Holds what the cases of a study share: the queue, the initial state, the reference's result.
class CaseRunner {
  public:
    // Computes the initial state and the reference. Throws Error when they cannot be had.
    explicit CaseRunner(const Study& study);
    ~CaseRunner();

    const Study& study() const { return study_; }
    Queue& queue() { return *queue_; }
    const State& initial() const { return initial_; }
    // The reference's state after `generations`: also the state of every variant that passed, but
    // for flows that passed as a whole.
    const State& expected() const { return expected_; }
    // How the reference came there.
    const Ledger& ledger() const { return ledger_; }

    void use(Instruments instruments) { instruments_ = std::move(instruments); }
    // What could not be measured and why: an instrument that fails is put away, and the runner
    // works on without it.
    const std::map<std::string, std::string>& instrument_failures() const {
        return instruments_.failures;
    }
    double event_pair_seconds() const { return sampler_->event_pair_seconds(); }

    // Never throws for what the variant does wrong; that is the result's status. `last`: no further
    // round will ask for this case, so that what is measured once is measured now.
    CaseResult run(const Case& chosen, bool last = true);
    CaseResult run(const Variant& variant) { return run({&variant, {}}); }

  private:
    Verification verify(Execution& execution, const Case& chosen);
    // Leaves the state after all generations from the start in actual_.
    void compute(Execution& execution, const Case& chosen);
    // How far the variant may be from the reference.
    Tolerance tolerance_of(const Variant& variant) const;
    void time(Execution& execution, CaseResult& result);
    void time_kernels(Execution& execution, CaseResult& result);
    std::vector<double> clock_bias(const std::vector<counters::KernelTime>& times, int launches,
                                   const Conditions& conditions,
                                   const std::function<void(int)>& launch);
    void count(Execution& execution, CaseResult& result);
    void predict_counters(CaseResult& result);
    std::optional<DeviceState> device_state() const;

    const Study& study_;
    std::unique_ptr<Queue> queue_;
    State initial_;
    State expected_;
    Ledger ledger_;
    std::optional<FlowJudge> flow_judge_;
    State actual_;
    std::map<std::string, Verification> verified_;  // by case: a repetition is not verified again
    std::map<std::string, int> generations_per_sample_;  // by case: the same in every round
    std::vector<std::unique_ptr<Pinned>> pinned_;
    Instruments instruments_;
    std::map<const Variant*, Prediction> predictions_;  // the same under all conditions
    std::optional<Nvml> nvml_;
    std::string pci_bus_id_;
    std::unique_ptr<Sampler> sampler_;
};

// The queue of a backend.
std::unique_ptr<Queue> open_queue(Backend backend, int device, int cpu_threads);

// CPU threads to use: `requested`, or all hardware threads for 0.
int thread_count(int requested);

}  // namespace camber
