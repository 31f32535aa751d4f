// Record of a case: one element of a document's benchmarks[]; with times and comparisons of runs from the
// start that are too long for the reference.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "harness/base/statistics.hpp"
#include "harness/record/conditions.hpp"
#include "harness/record/context.hpp"
#include "harness/record/model_record.hpp"
#include "harness/record/scaling.hpp"
#include "harness/record/verification.hpp"

namespace camber::results {

// Generations timed from one saved state of a run.
struct StateTimes {
    int generation = 0;              // of the state
    int generations = 0;             // timed by each sample
    std::vector<double> samples_ns;  // per sample
    // Single kernels by the device's own clock, in a run of its own; empty if they were not timed.
    std::vector<IntervalKernel> kernels;
};

// Duration of a whole run, summed over saved states that are equally spaced in generations.
struct SummedRun {
    double ns = 0;  // of all generations
    // 95 % interval: spread of the samples, and change of the step time between the states.
    double low_ns = 0;
    double high_ns = 0;
    std::string states_by;  // variant and machine that computed the states
    std::vector<StateTimes> states;
    // Comparison with the reference some generations after each state; cells of all states.
    std::optional<Verification> verification;
};

// Final state of a run that continues beyond the generations that the reference computed.
struct EndComparison {
    // Maker of the state that this one was compared with; "": this case was the first.
    std::string with;
    std::optional<Verification> found;  // absent for the first
    // Relative difference between the lava on the board and the lava that was supplied.
    std::optional<double> mass_error;
};

enum class Status : std::uint8_t { ok, skipped, failed };

std::string_view name(Status status);  // "ok"...

using Scalar = std::variant<bool, std::int64_t, double, std::string>;

// Number of units of a case in a scaling series.
struct ScalingPlace {
    scaling::Unit unit = scaling::Unit::sm;
    int units = 1;
    int unit_size = 1;  // number of SMs, threads, ... in one unit
    scaling::Mode mode = scaling::Mode::strong;
};

// Movement of rows between devices.
struct BalancingRecord {
    std::string rule;  // "published" or "improved"
    int every = 10;    // generations between comparisons of the devices' times
    int rows = 1;      // that move at once
    friend bool operator==(const BalancingRecord&, const BalancingRecord&) = default;
};

// Devices that are active at the start, while the box of active cells grows.
struct StartRecord {
    std::string rule = "progressive";
    int blocks_per_multiprocessor = 10;  // launched by a saturated device
    friend bool operator==(const StartRecord&, const StartRecord&) = default;
};

// Division of a box's rows, valid from a generation on.
struct RowDivisionRecord {
    int generation = 0;
    std::vector<int> rows;  // of each active device
    int moved_rows = 0;     // that came from another device
};

// Group of devices that computed a case together.
struct GroupRecord {
    std::string kind;  // "gpus", "emulated" (one device, or the executor), "ranks"
    int places = 1;
    // CUDA device of each device of the group; for ranks, only if no two share a device.
    std::vector<int> devices;
    std::vector<int> weights;  // shares of the rows, or columns
    std::string partition;     // "rows", "columns" or "transposed"
    std::string allocation;    // "slab" or "whole"
    std::string exchange;      // "copies"
    bool overlap = false;
    int halo_depth = 1;  // generations between exchanges
    // An edge is 1/edge_share of a device's rows; 0: exactly the rows that it sends.
    int edge_share = 16;
    std::optional<int> border_buffers;     // host buffers per edge; absent: two, or none
    std::optional<std::string> host_wait;  // "busy", "blocking"; absent: driver default
    std::optional<std::string> minimum;    // "lagged"; absent: of the current generation
    std::optional<BalancingRecord> balancing;
    std::optional<StartRecord> start;          // absent: all devices are active from the start
    std::vector<int> rows;                     // of each device at the end, if rows move
    std::optional<int> moved_rows;             // number of rows moved until the end
    std::vector<RowDivisionRecord> divisions;  // of a box, in order; the first is the initial one
    // From the timeline of a few launches, per generation, for the device with the largest value:
    std::optional<double> exposed_transfer_ns;  // rows travel while no kernel runs
    // It waits for others, or the host waits for it, while nothing runs.
    std::optional<double> barrier_wait_ns;
    std::optional<double> imbalance;  // its kernel time over the mean of all devices

    // Number of devices that compute concurrently.
    int devices_at_work() const {
        return kind == "gpus" || (kind == "ranks" && !devices.empty()) ? places : 1;
    }
    // Exchange properties that distinguish groups of the same size: "copies, overlap".
    std::string exchange_words() const;
    // Compares the division only, not the measurements.
    friend bool operator==(const GroupRecord& a, const GroupRecord& b) {
        const auto form = [](const GroupRecord& one) {
            return std::tie(one.kind, one.places, one.devices, one.weights, one.partition,
                            one.allocation, one.exchange, one.overlap, one.halo_depth,
                            one.edge_share, one.border_buffers, one.host_wait, one.minimum,
                            one.balancing, one.start);
        };
        return form(a) == form(b);
    }
};

// Identity of a case: workload, variant, problem and conditions. Absent or empty for Google
// Benchmark's own cases, which have only a name.
struct Identity {
    std::string workload;
    std::string technique;
    std::string variant;  // "life/halo/64x4/align128"
    std::vector<std::pair<std::string, Scalar>> parameters;
    std::optional<ScalingPlace> scaling;
    std::optional<GroupRecord> group;
    Size size;
    std::string cell;  // element type
    int generations = 0;
    std::string rule;  // for workloads with several rules; "": the usual one
    std::map<std::string, std::vector<double>, std::less<>> workload_parameters;
    std::optional<Backend> backend;
    std::optional<int> device;
    std::optional<Boundary> boundary;
    std::optional<CacheState> cache;  // absent in old files, which have only the usual conditions
    std::optional<Submission> submission;
    bool from_start = false;  // every sample computes all generations from the initial state
    std::optional<int> begin;  // generation of the developed state that the run begins with
    std::optional<std::uint64_t> seed;  // absent if nothing was drawn at random
    std::optional<Size> input_tiles;
    std::optional<double> added_density;
    std::optional<int> generations_per_launch;
    std::optional<Arithmetic> arithmetic;

    Conditions conditions() const {
        return {cache.value_or(CacheState::hot), submission.value_or(Submission::stream)};
    }
    // Suffix of the variant's name in tables: ", graph, 2 GPUs, copies, overlap"; "" for a case on
    // one device under the usual conditions.
    std::string circumstances() const;
    // Returns true for a case on one device, under the usual conditions, outside scaling series.
    bool is_usual() const { return conditions() == Conditions() && !scaling && !group; }
};

// Consecutive samples of a case.
struct Visit {
    int process = 0;
    int round = 0;
    std::int64_t n = 0;
    std::string stopped_by;  // "converged", "time budget" or "sample limit"
};

struct Samples {
    // Number of generations timed by each sample (one iteration in Google Benchmark's files).
    int generations_per_sample = 1;
    std::vector<double> ns;       // in visit order
    std::vector<Visit> visits;    // empty if the file has none: one visit with all samples
    SampleStatistics statistics;  // of ns
    std::string stopped_by;
};

// Times of one of a variant's kernels by the device's own clock.
struct KernelTime {
    std::string name;
    SampleStatistics statistics;          // outliers are not recorded
    std::optional<double> clock_bias_ns;  // subtracted from every sample, if it was measured
    std::optional<std::int64_t> shared_memory_bytes;  // only in older files
    std::vector<double> samples_ns;                   // one per launch

    // Total over all its launches.
    double total_ns() const { return statistics.median * static_cast<double>(statistics.n); }
};

struct KernelTimes {
    int generations = 0;  // over all launches together
    double ns_per_generation = 0;
    double launch_gap_ns = 0;  // sample time beyond the kernels, per launch
    std::vector<KernelTime> kernels;
};

// Figures derived from a case's time.
struct Derived {
    double cells_per_second = 0;
    std::optional<double> generations_per_second;
    double application_bandwidth_bytes_per_second = 0;
    std::optional<double> share_of_copy;
    // Resource with the largest lower bound of the time in the model, and that bound as a share of
    // the measured time; absent if the model or the device's ceilings do not provide it.
    std::optional<std::string> limit;
    std::optional<double> share_of_limit;
    std::optional<double> speedup_vs_baseline;
    // Based on the bytes that the variant's own steps must move, if the variant provides them.
    std::optional<double> step_bytes_per_cell;
    std::optional<double> step_share_of_copy;
};

// Seconds that a whole program spends outside its generations.
struct ProgramTime {
    double load = 0;             // reading or making the initial state
    double upload = 0;           // of the initial state, to the memory used for computation
    double download = 0;         // of the final state
    std::optional<double> save;  // writing the final state; absent if it was not written

    double seconds() const { return load + upload + download + save.value_or(0); }
};

// A region of a kernel's machine code: a loop without its inner loops, or the code outside all
// loops.
struct CodeRegion {
    // Number of the surrounding region; the first one, which is not a loop, contains itself.
    int within = 0;
    // Counts by class, with "total", and "skippable" if there are any; accesses to global and
    // shared memory by bytes per lane: "global_loads_16". In a loop without accesses, "rounds" is
    // 1.
    std::map<std::string, std::int64_t> instructions;
};

// Machine instructions of a kernel that are executed together.
struct BasicBlock {
    int loop = 0;                                      // surrounding region; 0: no loop
    std::vector<int> to;                               // successor blocks
    bool ends = false;                                 // a warp may exit here
    std::map<std::string, std::int64_t> instructions;  // as in CodeRegion
    std::map<std::string, std::int64_t> predicated;    // predicated accesses
};

// Static facts of a kernel, determined by the compiler and the launch. Absent on host backends.
struct Kernel {
    std::string name;
    std::optional<std::string> symbol;
    std::optional<int> registers;                      // per thread
    std::optional<std::int64_t> static_shared_bytes;   // per block
    std::optional<std::int64_t> dynamic_shared_bytes;  // per block
    std::optional<std::int64_t> local_bytes;           // per thread: spills and indexed arrays
    std::optional<double> occupancy;                   // theoretical, 0 to 1
    Told<int> shared_carve_out_percent;  // requested by the kernel; null: driver's choice
    // Machine instructions by class, with "total"; empty if unavailable.
    std::map<std::string, std::int64_t> instructions;
    // The same instructions by loop; empty if no loop accesses memory, and in older files.
    std::vector<CodeRegion> regions;
    // The same instructions by basic block, beginning with the kernel's entry; empty if there is
    // only one block, if there are too many, and in older files.
    std::vector<BasicBlock> basic_blocks;
    Size block;  // threads
    Size grid;   // blocks

    std::int64_t threads_per_block() const { return block.cells(); }
    std::int64_t blocks() const { return grid.cells(); }
};

struct DeviceStates {
    DeviceState before;
    std::vector<DeviceState> during;
    DeviceState after;
    std::optional<std::string> clock_fall;  // a sentence, if the clock fell by more than 2 %
};

// Counter values of one of the kernels of a launch.
struct KernelCounters {
    std::string name;
    std::string symbol;
    std::map<std::string, double> counters;  // by metric
    std::optional<ModelRecord> model;        // of that kernel alone
};

struct CaseRecord {
    std::string name;  // "life/halo/64x4/align128/16384x16384/uint32/cuda"
    int repetitions = 1;
    int repetition = 0;
    int threads = 1;        // Google Benchmark's thread count
    bool by_camber = true;  // false: an element of Google Benchmark's own
    Identity identity;
    Status status = Status::ok;
    std::string reason;  // why it was skipped or failed
    bool left_out =
        false;  // skipped although it could run, because its predicted time is dominated

    std::int64_t iterations = 0;  // number of generations in all samples
    double real_time_ns = 0;      // median, per generation
    double cpu_time_ns = 0;       // of the host, per generation

    std::optional<Verification> verification;
    std::optional<Samples> samples;
    std::optional<KernelTimes> kernel_times;
    std::vector<Interval> intervals;  // of a run from the start; empty if not requested
    std::optional<Derived> derived;
    std::optional<ProgramTime> program;  // for runs from the start
    std::optional<SummedRun> summed;     // for runs with saved states
    std::optional<EndComparison> end;    // for whole runs beyond the reference's generations
    std::vector<Kernel> kernels;
    std::optional<DeviceStates> device_state;
    std::optional<ModelRecord> model;
    std::map<std::string, double> counters;  // of the first launch, by metric
    // Counters of the same launch for every kernel, in order. Not written for a single kernel,
    // which `counters` describes.
    std::vector<KernelCounters> kernel_counters;
    std::optional<FinalState> final;

    bool timed() const { return samples.has_value() && !samples->ns.empty(); }
    double cells() const { return static_cast<double>(identity.size.cells()); }
};

// A Google Benchmark aggregate over the repetitions of a case (mean, median, stddev, cv).
struct Aggregate {
    std::string case_name;
    std::string name;
    int repetitions = 0;
    int threads = 1;
    bool percentage = false;  // cv: a ratio, not a time
    std::int64_t iterations = 0;
    double real_time = 0;  // nanoseconds per generation, or a ratio
    double cpu_time = 0;
};

// Times measured by one process, ns per generation (per iteration in Google Benchmark's files).
// Samples of one process share its memory placement and the state of the machine: they are not
// independent.
struct ProcessTimes {
    int process = 0;
    std::vector<double> samples_ns;
    std::vector<std::size_t> visits;  // number of times in each visit, in order
};

std::vector<ProcessTimes> times_by_process(const CaseRecord& record);
// All times, ns per generation, in order.
std::vector<double> times_of(const CaseRecord& record);

}  // namespace camber::results
