// Study definition: one problem, the variants to run on it, the measurement settings, and the rules
// that decide when a case has enough samples.
#pragma once

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

// When is a case sampled enough? Rules are asked after every sample, or after every few.
class StoppingRule {
  public:
    virtual ~StoppingRule() = default;

    // `samples` are all samples of one case so far, in order; `elapsed_seconds` is the time spent
    // on them. Empty while sampling must go on, otherwise the reason it stopped: "converged",
    // "time budget", "sample limit".
    virtual std::optional<std::string> verdict(std::span<const double> samples,
                                               double elapsed_seconds) = 0;
};

struct ConfidenceParameters {
    double relative_half_width = 0.005;  // of the 95 % interval, as a share of the median
    std::size_t minimum_samples = 6;     // fewer span no 95 % interval of a median: 1 - 2 / 2^6
    std::size_t maximum_samples = 1000;
    double budget_seconds = 1.0;
    std::uint64_t seed = 0;  // the same as for summarize(), so that both see one interval
};

// Stops as "converged" when the 95 % bootstrap interval of the median is narrow enough. At the time
// budget and at the sample limit it looks a last time, and says "converged" if that is so. The
// budget holds even below the minimum of samples, but one sample is always taken.
//
// The rule judges the spread only: a drift slower than the spread goes unnoticed. And because it
// stops when the interval happens to be narrow, the interval of what it collected covers the true
// median in 90 to 94 % of the cases (normal samples), not 95 %.
class ConfidenceRule : public StoppingRule {
  public:
    // Throws std::invalid_argument for a width or budget that is not positive, for a minimum of 0
    // and for a maximum below the minimum.
    explicit ConfidenceRule(const ConfidenceParameters& parameters = {});

    // One object may serve several cases in turn: a list no longer than the last one starts anew.
    std::optional<std::string> verdict(std::span<const double> samples,
                                       double elapsed_seconds) override;

  private:
    bool converged(std::span<const double> samples) const;

    ConfidenceParameters parameters_;
    std::size_t last_checked_ = 0;  // number of samples at the last look at the interval
};

// A study: one problem, the variants to run on it, and how to measure them.
struct Study {
    const Workload* workload = nullptr;
    std::vector<const Variant*> variants;
    // Those of `variants` that are in no registry.
    std::vector<std::shared_ptr<const Variant>> composed;
    // Those of `variants` that could run and are skipped all the same, with the reason.
    std::map<const Variant*, std::string> left_out;
    std::vector<Conditions> conditions{{}};  // each variant is a case under each of them
    Problem problem;
    InitialConditions initial;
    int generations = 1;  // of the verified run
    Backend backend = Backend::simt;
    int device = 0;
    int sms = 0;       // of the partition of the device that it runs on; 0: the whole device
    bool time = true;  // false: verify only (the simt backend's times mean nothing)
    ConfidenceParameters sampling;
    double seconds_per_sample = 0.002;  // at least, of hot samples
    // Every sample starts from the initial state and takes all generations: for models whose steps
    // cost more or less as they evolve. Hot only.
    bool from_start = false;
    int intervals = 0;             // that a run from the start is also timed in; 0: none
    int rounds = 1;                // each measures every case anew, in another order
    int process = 0;               // which of several that measure the same
    std::uint64_t order_seed = 1;  // of the orders of all rounds and processes
    bool traced = false;           // whether the timeline of each case is recorded
    std::string counters;          // metric sets and names to read on the cuda backend; "": none
    int cpu_threads = 0;           // of the reference and the host backends; 0: all
    bool fresh_limits = false;     // whether the device's limits are measured in any case
    bool saves = false;            // whether a final state will be asked for
    // In a scaling series: on how many units this study runs.
    std::optional<results::ScalingPlace> place;
    // Seconds that a device may be busy before the run is ended; absent: as long as it takes.
    std::optional<double> launch_limit;
    std::vector<int> cores;  // to which the host's threads are pinned while timed; empty: to none
    // How the reason of a case that failed or was skipped is worded.
    std::function<std::string(const Error&)> sentence = std::mem_fn(&Error::what);
};

// One variant under one set of conditions.
struct Case {
    const Variant* variant = nullptr;
    Conditions conditions;
};

// Whether its variants run on groups of places.
bool is_divided(const Study& study);

// The ranks that its variants run on together; nullptr: this process alone.
Communicator* ranks_of(const Study& study);

// The study's cases in its own order: by variant, then by conditions.
std::vector<Case> cases_of(const Study& study);

// The study's cases in the order of a round: shuffled by seed, process and round, so that no case
// always follows the same neighbour and slow changes of the device do not look like a difference
// between cases. Where nothing is timed, the order is that of the study.
std::vector<Case> order_of_round(const Study& study, int round);

// The variant that speedups refer to: the workload's first in technique global, in blocks of 16x16;
// the form that the sources publish as the plain one. Where a generation can be computed in several
// ways, that is the one of the fewest kernels above one: "life/global/16x16",
// "surface_water/global/three_kernels/16x16". "" where there is none.
std::string baseline_name(const Workload& workload, const Registry& registry);

// "life/halo/16x16/align128/16384x16384/uint32/cuda", with "/rule:B36S23", "/torus", "/cold",
// "/graph", "/from_start" and "/sm:8" where these hold.
std::string case_name(const Study& study, const Case& chosen);

// CPU threads to use: `requested`, or all hardware threads for 0.
int thread_count(int requested);

// Of all fields of the study's board.
std::size_t board_bytes(const Study& study);

// Throws Error(unavailable) when host or device memory cannot hold the study's fields.
void check_memory(const Study& study, const Queue& queue);

}  // namespace camber
