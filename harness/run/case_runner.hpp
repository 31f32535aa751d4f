// Runs single cases: make ready or skip, verify every cell, then time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/statistics.hpp"
#include "harness/counters/range_profiler.hpp"
#include "harness/environment/nvml.hpp"
#include "harness/run/study.hpp"
#include "harness/run/verification.hpp"

namespace camber {

enum class Status { ok, skipped, failed };

struct CaseResult {
    const Variant* variant = nullptr;
    std::string name;
    Status status = Status::skipped;
    std::string reason;  // why it was skipped or failed
    std::optional<Verification> verification;
    int generations_per_sample = 0;
    std::vector<double> samples_ns;
    SampleStatistics statistics;  // of samples_ns
    std::string stopped_by;
    std::vector<KernelFacts> kernels;
    // The device just before and just after the timed samples, where NVML tells.
    std::optional<DeviceState> device_before;
    std::optional<DeviceState> device_after;
    std::optional<std::string> clock_fall;   // a sentence, when the clock fell more than 2 %
    std::map<std::string, double> counters;  // of the first launch, by metric
    double cpu_seconds = 0;                  // host time spent measuring

    bool timed() const { return !samples_ns.empty(); }
    double seconds_per_generation() const {
        return statistics.median * 1e-9 / generations_per_sample;
    }
};

// Holds what the cases of a study share: the queue, the initial state, the reference's result.
class CaseRunner {
  public:
    // Computes the initial state and the reference. Throws Error when they cannot be had.
    explicit CaseRunner(const Study& study);
    ~CaseRunner();

    const Study& study() const { return study_; }
    Queue& queue() { return *queue_; }
    const State& initial() const { return initial_; }
    // The reference's state after `generations`: also the state of every variant that passed.
    const State& expected() const { return expected_; }

    // Prepares to read the study's counters with every case. Throws Error where that cannot be; the
    // runner then works on without them.
    void enable_counters();
    // Why counters could no longer be read from some case on; "" while they can.
    const std::string& counters_failure() const { return counters_failure_; }

    // Never throws for what the variant does wrong; that is the result's status.
    CaseResult run(const Variant& variant);

  private:
    Verification verify(Execution& execution, const Variant& variant);
    void measure(Execution& execution, CaseResult& result);
    void count(Execution& execution, CaseResult& result);
    std::optional<DeviceState> device_state() const;

    const Study& study_;
    std::unique_ptr<Queue> queue_;
    State initial_;
    State expected_;
    State actual_;
    std::map<const Variant*, Verification> verified_;  // a repetition is not verified again
    std::vector<std::unique_ptr<Pinned>> pinned_;
    std::unique_ptr<counters::CounterSession> counters_;
    std::string counters_failure_;
    std::optional<Nvml> nvml_;
    std::string pci_bus_id_;
};

// The queue of a backend.
std::unique_ptr<Queue> open_queue(Backend backend, int device, int cpu_threads);

// CPU threads to use: `requested`, or all hardware threads for 0.
int thread_count(int requested);

}  // namespace camber
