// Machine, program and run that a document comes from, with the wall time of the run and its
// intervals.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/ceilings.hpp"

namespace camber::results {

// What a file may say or not.

// Of facts that were added to the format later and that may be unknown: nothing, where the file
// does not say; null within, where it says that nobody knows; else the value.
template <class T>
using Told = std::optional<std::optional<T>>;

// The value, where there is one.
template <class T>
std::optional<T> known(const Told<T>& told) {
    return told.value_or(std::nullopt);
}

// A run from the start in parts, because a model that evolves costs more or less as it does.

// What one kernel took in an interval, per generation.
struct IntervalKernel {
    std::string name;
    double ns_per_generation = 0;
};

// Generations `first` + 1 to `last` of a run from the start.
struct Interval {
    int first = 0;
    int last = 0;
    std::vector<double> samples_ns;       // each of all its generations
    std::vector<IntervalKernel> kernels;  // empty where they could not be timed

    int generations() const { return last - first; }
};

// The cells at work at one time of the reference's run, and how many a launch has that goes over
// boxes around them, placed anew, or over a list of them; each with a ring of neighbours.
struct Activity {
    int generation = 0;
    std::int64_t active = 0;
    std::vector<std::int64_t> boxes;  // cells in one box, in up to two, in up to three...
    std::int64_t list = 0;
};

// What the time of a run went to, from its start to its last case.

// Seconds by the clock on the wall. What is done beside something else counts only as far as it is
// waited for, so that the parts make the total.
struct WallTime {
    double total = 0;
    double opening = 0;        // starting the program, opening the machine
    double initial_state = 0;  // making the board that every case starts from
    double reference = 0;      // the plain reference, and uploading its state
    double limits = 0;         // measuring the device's limits, or fetching those of an earlier run
    double verification = 0;
    double samples = 0;  // with warming up, finding their length, and judging whether they suffice
    double kernel_times = 0;
    double counters = 0;      // with the predictions that stand beside them
    double static_facts = 0;  // instructions of kernels
    double results_file = 0;
    double other = 0;

    WallTime& operator+=(const WallTime& more);
};

struct WallTimePart {
    std::string_view name;  // as a person reads it
    double WallTime::*seconds;
};

// All but the total, in the order of a run.
inline constexpr std::array<WallTimePart, 11> wall_time_parts{
    {{"opening", &WallTime::opening},
     {"initial state", &WallTime::initial_state},
     {"reference", &WallTime::reference},
     {"limits", &WallTime::limits},
     {"verification", &WallTime::verification},
     {"samples", &WallTime::samples},
     {"kernel times", &WallTime::kernel_times},
     {"counters", &WallTime::counters},
     {"static facts", &WallTime::static_facts},
     {"results file", &WallTime::results_file},
     {"other", &WallTime::other}}};

inline WallTime& WallTime::operator+=(const WallTime& more) {
    total += more.total;
    for (const WallTimePart& part : wall_time_parts) this->*part.seconds += more.*part.seconds;
    return *this;
}

// The machine, the program and the run that a document comes from.

// One of the processor's caches, as Google Benchmark describes it.
struct CpuCache {
    std::string type;
    int level = 0;
    std::int64_t size = 0;  // bytes
    int num_sharing = 0;
};

// Absent: the driver does not tell.
struct Gpu {
    std::string name;
    int index = 0;
    std::string compute_capability;  // "9.0"
    int sm_count = 0;
    std::optional<std::int64_t> l2_bytes;
    std::optional<std::int64_t> memory_bytes;
    std::optional<std::int64_t> memory_clock_hz;  // the most that it may run at
    std::optional<std::int64_t> sm_clock_hz;      // the same
    std::optional<bool> ecc;
    Told<bool> mig;
    Told<std::string> pci_bus_id;
    Told<std::string> uuid;
};

struct Processor {
    std::optional<std::string> model;
    std::optional<int> logical_cpus;
    std::optional<int> physical_cores;
    std::optional<int> numa_nodes;
    std::optional<std::string> governor;
};

struct OperatingSystem {
    std::optional<std::string> kernel;
    std::optional<std::string> distribution;
};

struct Commit {
    std::string commit;
    bool dirty = false;  // with uncommitted changes
};

// How long and in which order cases were sampled.
struct Sampling {
    std::uint64_t order_seed = 0;
    int rounds = 1;
    int processes = 1;
    double seconds_per_sample = 0;
    double event_pair_seconds = 0;  // what two events measure with nothing in between
    double relative_half_width = 0;
    double budget_seconds = 0;
    std::int64_t maximum_samples = 0;
};

// The conserved quantity of a workload at one time, and what became of it since the row before.
struct AccountRow {
    int generation = 0;
    std::vector<std::pair<std::string, double>> changes;  // by entry, in the workload's order
    std::string quantity;                                 // "mass" or "population"
    double amount = 0;
    double unaccounted = 0;  // which is rounding
};

// How far a run has come that has not ended, or was ended before its time.
struct Incomplete {
    std::int64_t cases = 0;     // stored
    std::int64_t of_cases = 0;  // of the study, whatever --benchmark_filter leaves
    std::int64_t visits = 0;    // every round, process and repetition makes one of every case
    std::int64_t of_visits = 0;
};

// What camber says of a run.
struct Run {
    int schema_version = 1;
    std::string version;
    std::vector<std::string> command;
    std::optional<Gpu> gpu;             // absent on the host's backends
    std::optional<std::string> driver;  // the newest CUDA release that it supports
    Told<std::string> driver_version;   // "580.65.06"
    std::optional<std::string> runtime;
    std::string compiler;
    std::optional<std::string> flags;
    std::string build_type;
    std::string host;
    std::optional<Processor> cpu;
    std::optional<OperatingSystem> os;
    Told<std::int64_t> memory_bytes;
    std::optional<Commit> git;
    std::string date;
    std::optional<Incomplete> incomplete;  // absent once everything is measured
    Ceilings ceilings;
    std::optional<Sampling> sampling;  // absent where nothing was timed
    std::vector<AccountRow> account;   // empty for workloads that keep none
    std::vector<Activity> activity;    // of lava, where a run in intervals was asked for
    std::optional<WallTime> wall;      // of all processes together; absent in older files
};

// Google Benchmark's fields, so that its tools read the file, and camber's.
struct Context {
    std::string date;
    std::string host_name;
    std::string executable;
    int num_cpus = 0;
    int mhz_per_cpu = 0;
    std::optional<bool> cpu_scaling_enabled;
    std::vector<CpuCache> caches;
    std::vector<double> load_avg;
    std::string library_build_type;
    std::optional<Run> run;  // absent in Google Benchmark's own files and in model baselines
};

}  // namespace camber::results
