// Study definition: one problem, the variants to run on it, the measurement settings, and the rules
// that decide when a case has enough samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/record/case_record.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Decides when a case has enough samples. Called after every sample, or after every few.
class StoppingRule {
  public:
    virtual ~StoppingRule() = default;

    // `samples`: all samples of one case so far, in order; `elapsed_seconds`: time spent on them.
    // Returns nullopt if sampling must continue, otherwise the reason to stop: "converged", "time
    // budget", "sample limit".
    virtual std::optional<std::string> verdict(std::span<const double> samples,
                                               double elapsed_seconds) = 0;
};

struct ConfidenceParameters {
    double relative_half_width = 0.005;  // of the 95 % interval, as a fraction of the median
    std::size_t minimum_samples = 6;  // fewer cannot give a 95 % interval of a median: 1 - 2 / 2^6
    std::size_t maximum_samples = 1000;
    double budget_seconds = 1.0;
    std::uint64_t seed = 0;  // same as for summarize(), so that both compute the same interval
};

// Stops as "converged" when the 95 % bootstrap interval of the median is narrow enough. At the time
// budget and at the sample limit, the interval is checked a last time, and "converged" takes
// precedence. The time budget applies even below the minimum number of samples, but at least one
// sample is always taken.
//
// The rule evaluates only the spread: a drift slower than the spread is not detected. Because the
// rule stops when the interval happens to be narrow, the interval of the collected samples covers
// the true median in 90 to 94 % of the cases (normal samples), not 95 %.
class ConfidenceRule : public StoppingRule {
  public:
    // Throws std::invalid_argument for a width or budget that is not positive, for a minimum of 0
    // and for a maximum below the minimum.
    explicit ConfidenceRule(const ConfidenceParameters& parameters = {});

    // One object may serve several cases in turn: a list of samples no longer than the previous one
    // starts a new case.
    std::optional<std::string> verdict(std::span<const double> samples,
                                       double elapsed_seconds) override;

  private:
    bool converged(std::span<const double> samples) const;

    ConfidenceParameters parameters_;
    std::size_t last_checked_ = 0;  // number of samples at the last check of the interval
};

// A study: one problem, the variants to run on it, and how to measure them.
struct Study {
    const Workload* workload = nullptr;
    std::vector<const Variant*> variants;
    // Variants in `variants` that are in no registry.
    std::vector<std::shared_ptr<const Variant>> composed;
    // Variants in `variants` that could run but are skipped, with the reason.
    std::map<const Variant*, std::string> left_out;
    // Each variant is a case under each of these conditions.
    std::vector<Conditions> conditions{{}};
    Problem problem;
    InitialConditions initial;
    int generations = 1;  // generations of the verified run
    Backend backend = Backend::simt;
    int device = 0;
    int sms = 0;       // SMs of the device partition to run on; 0: the whole device
    bool time = true;  // false: verify only (the simt backend's times mean nothing)
    ConfidenceParameters sampling;
    double seconds_per_sample = 0.002;  // minimum duration of hot samples
    // Every sample starts from the initial state and runs all generations, for models whose steps
    // change in cost as they evolve. Hot samples only.
    bool from_start = false;
    int intervals = 0;             // number of timed intervals of a run from the start; 0: none
    // The run begins with the state after so many generations, which the study's first variant
    // computes if no saved state is available.
    int begin = 0;
    // Number of saved states of a run from the start, from which variants are timed; 0: none.
    int states = 0;
    std::filesystem::path state_folder;  // of saved states; "": in the user's cache folder
    // With states: variants that are timed over the whole run, too. The first one saves the states.
    std::vector<const Variant*> whole;
    // With states: generations that the reference computes; 0: all.
    int reference_generations = 0;
    int rounds = 1;                // each round measures every case again, in another order
    int process = 0;               // index among several processes that measure the same cases
    std::uint64_t order_seed = 1;  // determines the orders of all rounds and processes
    bool traced = false;           // true: records the timeline of each case
    std::string counters;          // metric sets and names to read on the cuda backend; "": none
    int cpu_threads = 0;           // for the reference and the host backends; 0: all
    bool fresh_limits = false;     // true: measures the ceilings even if they are cached
    bool saves = false;            // true: a final state will be saved
    // Number of units of this study in a scaling series.
    std::optional<results::ScalingPlace> place;
    // Maximum seconds that the device may be busy before the run is ended; absent: unlimited.
    std::optional<double> launch_limit;
    // Cores that host threads are pinned to during timing; empty: no pinning.
    std::vector<int> cores;
    // Produces the wording of the reason why a case failed or was skipped.
    std::function<std::string(const Error&)> sentence = std::mem_fn(&Error::what);

    // Generations after which variants are compared with the reference.
    int verified_generations() const {
        return reference_generations > 0 ? reference_generations : generations;
    }
    bool is_whole(const Variant& variant) const {
        return std::find(whole.begin(), whole.end(), &variant) != whole.end();
    }
};

// One variant under one set of conditions.
struct Case {
    const Variant* variant = nullptr;
    Conditions conditions;
};

// True if the variants run on groups of devices.
bool is_divided(const Study& study);

// Ranks that run the variants together; nullptr if this process runs alone.
Communicator* ranks_of(const Study& study);

// All cases of the study, by variant, then by conditions.
std::vector<Case> cases_of(const Study& study);

// Cases of the study in the order of a round. They are shuffled by seed, process and round, so that
// a case does not always follow the same neighbor and slow drifts of the device do not look like
// differences between cases. If nothing is timed, the order is that of cases_of().
std::vector<Case> order_of_round(const Study& study, int round);

// Baseline of speedups: the workload's first variant of technique global with 16x16 blocks, in the
// form that publications use as the plain version. If a generation can be computed in several ways,
// the variant with the fewest kernels above one: "life/global/16x16",
// "surface_water/global/three_kernels/16x16". "" if there is none.
std::string baseline_name(const Workload& workload, const Registry& registry);

// Case name: "life/halo/16x16/align128/16384x16384/uint32/cuda", with "/rule:B36S23", "/torus",
// "/cold", "/graph", "/from_start" and "/sm:8" if they apply.
std::string case_name(const Study& study, const Case& chosen);

// CPU threads to use: `requested`, or all hardware threads for 0.
int thread_count(int requested);

// Bytes of all fields of the study's board.
std::size_t board_bytes(const Study& study);

// Throws Error(unavailable) when host or device memory cannot hold the study's fields.
void check_memory(const Study& study, const Queue& queue);

}  // namespace camber
