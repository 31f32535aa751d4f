// Context of a document: its machine, program and run, with the run's wall time and intervals; and what
// is known about this program's build.
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

// A tri-state field, for facts that were added to the format later and may be unavailable: nullopt
// if the file lacks the field; an inner nullopt if the field is null (unavailable); else the value.
template <class T>
using Told = std::optional<std::optional<T>>;

// Returns the value, if there is one.
template <class T>
std::optional<T> known(const Told<T>& told) {
    return told.value_or(std::nullopt);
}

// Intervals of a run from the start, because the cost of an evolving model changes

// Time of one kernel per generation, in an interval.
struct IntervalKernel {
    std::string name;
    double ns_per_generation = 0;
};

// Generations `first` + 1 to `last` of a run from the start.
struct Interval {
    int first = 0;
    int last = 0;
    std::vector<double> samples_ns;       // per generation, over all generations of the interval
    std::vector<IntervalKernel> kernels;  // empty if they could not be timed

    int generations() const { return last - first; }
};

// Active cells at one time of the reference's run, and the number of cells that a launch computes
// if it covers them by boxes, chosen anew, or by a list; boxes and list include neighbor cells.
struct Activity {
    int generation = 0;
    std::int64_t active = 0;
    std::vector<std::int64_t> boxes;  // cells in one box, in up to two, in up to three...
    std::int64_t list = 0;
};

// Wall time of a run by activity, in seconds, from its start to its last case. Concurrent
// activities count only as far as they are waited for, so that the parts add up to the total.
struct WallTime {
    double total = 0;
    double opening = 0;        // starting the program, initializing the machine
    double initial_state = 0;  // making the initial board of every case
    double reference = 0;      // the plain reference, and uploading its state
    double limits = 0;  // measuring the device's ceilings, or reading those of an earlier run
    double verification = 0;
    double samples = 0;  // including warm-up, finding the sample length, and convergence checks
    double kernel_times = 0;
    double counters = 0;      // including the corresponding predictions
    double static_facts = 0;  // kernel instructions
    double results_file = 0;
    double other = 0;

    WallTime& operator+=(const WallTime& more);
};

struct WallTimePart {
    std::string_view name;  // human-readable
    double WallTime::*seconds;
};

// All parts except the total, in run order.
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

// Machine, program and run of a document

// A CPU cache, as described by Google Benchmark.
struct CpuCache {
    std::string type;
    int level = 0;
    std::int64_t size = 0;  // bytes
    int num_sharing = 0;
};

// Absent members: not reported by the driver.
struct Gpu {
    std::string name;
    int index = 0;
    std::string compute_capability;  // "9.0"
    int sm_count = 0;
    std::optional<std::int64_t> l2_bytes;
    std::optional<std::int64_t> memory_bytes;
    std::optional<std::int64_t> memory_clock_hz;  // maximum
    std::optional<std::int64_t> sm_clock_hz;      // maximum
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

// Parameters of sampling: duration and order.
struct Sampling {
    std::uint64_t order_seed = 0;
    int rounds = 1;
    int processes = 1;
    double seconds_per_sample = 0;
    double event_pair_seconds = 0;  // time between two events with nothing in between
    double relative_half_width = 0;
    double budget_seconds = 0;
    std::int64_t maximum_samples = 0;
};

// Conserved quantity of a workload at one time, and its changes since the previous row.
struct AccountRow {
    int generation = 0;
    std::vector<std::pair<std::string, double>> changes;  // by entry, in the workload's order
    std::string quantity;                                 // "mass" or "population"
    double amount = 0;
    double unaccounted = 0;  // rounding errors
};

// Progress of a run that is unfinished or was interrupted.
struct Incomplete {
    std::int64_t cases = 0;     // stored
    std::int64_t of_cases = 0;  // of the whole study, regardless of --benchmark_filter
    std::int64_t visits = 0;    // one for each case in every round, process and repetition
    std::int64_t of_visits = 0;
};

// Run of camber: machine, build and settings.
struct Run {
    int schema_version = 1;
    std::string version;
    std::vector<std::string> command;
    std::optional<Gpu> gpu;             // absent on host backends
    std::optional<std::string> driver;  // newest CUDA release that the driver supports
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
    std::optional<Incomplete> incomplete;  // absent if everything is measured
    Ceilings ceilings;
    std::optional<Sampling> sampling;  // absent if nothing was timed
    std::vector<AccountRow> account;   // empty for workloads without one
    std::vector<Activity> activity;    // for lava, if a run in intervals was requested
    std::optional<WallTime> wall;      // of all processes together; absent in older files
};

// Google Benchmark's fields, so that its tools can read the file, and camber's.
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

// Version, compiler, flags and commit of this program; the definitions are generated at every build.
namespace camber::build_info {

extern const char* const version;
extern const char* const compiler;    // "GNU 12.2.0", with nvcc's version in builds with CUDA
extern const char* const flags;       // C++ compiler flags
extern const char* const build_type;  // CMake build type
extern const char* const git_commit;  // "" outside a git checkout
extern const bool git_dirty;

}  // namespace camber::build_info
