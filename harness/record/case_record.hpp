// Record of a case: one element of a document's benchmarks[].
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

enum class Status : std::uint8_t { ok, skipped, failed };

std::string_view name(Status status);  // "ok"...

using Scalar = std::variant<bool, std::int64_t, double, std::string>;

// For a case of a scaling series: on how many units it ran.
struct ScalingPlace {
    scaling::Unit unit = scaling::Unit::sm;
    int units = 1;
    int unit_size = 1;  // how many of them are p = 1
    scaling::Mode mode = scaling::Mode::strong;
};

// How rows change their place.
struct BalancingRecord {
    std::string rule;  // "published" or "improved"
    int every = 10;    // generations, after which the places' times are compared
    int rows = 1;      // that move at once
    friend bool operator==(const BalancingRecord&, const BalancingRecord&) = default;
};

// Which places begin, of a box of cells at work that grows.
struct StartRecord {
    std::string rule = "progressive";
    int blocks_per_multiprocessor = 10;  // that a saturated place launches
    friend bool operator==(const StartRecord&, const StartRecord&) = default;
};

// How the rows of a box were divided from a generation on.
struct RowDivisionRecord {
    int generation = 0;
    std::vector<int> rows;  // of each place at work
    int moved_rows = 0;     // that came from another place then
};

// Of a case that several places computed together.
struct GroupRecord {
    std::string kind;  // "gpus", "emulated" (one device, or the executor), "ranks"
    int places = 1;
    std::vector<int> devices;  // of each place, on the cuda backend; of ranks: where none share one
    std::vector<int> weights;  // of their shares of the rows, or columns
    std::string partition;     // "rows", "columns" or "transposed"
    std::string allocation;    // "slab" or "whole"
    std::string exchange;      // "copies"
    bool overlap = false;
    int halo_depth = 1;   // generations from exchange to exchange
    int edge_share = 16;  // an edge is 1/edge_share of a place's rows; 0: those that it sends
    std::optional<int> border_buffers;     // of the host, of each edge; absent: two, or none
    std::optional<std::string> host_wait;  // "busy", "blocking"; absent: as the driver waits
    std::optional<std::string> minimum;    // "lagged"; absent: of the generation itself
    std::optional<BalancingRecord> balancing;
    std::optional<StartRecord> start;  // absent: all places begin
    std::vector<int> rows;             // of each place at the end, where rows change their place
    std::optional<int> moved_rows;     // how many did until then
    std::vector<RowDivisionRecord> divisions;  // of a box, in order; the first is the start's
    // What a few launches' timeline says, of a generation and of the place that has most of it.
    std::optional<double> exposed_transfer_ns;  // rows travelled, and no kernel ran
    std::optional<double> barrier_wait_ns;  // it waited for others, or the host for it; nothing ran
    std::optional<double> imbalance;        // its kernels' time over the mean of all places

    // Devices that compute at once.
    int devices_at_work() const {
        return kind == "gpus" || (kind == "ranks" && !devices.empty()) ? places : 1;
    }
    // What tells it apart from others on as many places: "copies, overlap".
    std::string exchange_words() const;
    // Whether they were divided alike, whatever was measured.
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

// What was measured. Absent or empty in files of Google Benchmark, whose cases have a name only.
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
    std::string rule;  // of a workload that has several; "": its usual one
    std::map<std::string, std::vector<double>, std::less<>> workload_parameters;
    std::optional<Backend> backend;
    std::optional<int> device;
    std::optional<Boundary> boundary;
    std::optional<CacheState> cache;  // old files know the usual conditions only
    std::optional<Submission> submission;
    bool from_start = false;            // every sample takes all generations from the initial state
    std::optional<std::uint64_t> seed;  // absent where nothing was drawn
    std::optional<Size> input_tiles;
    std::optional<double> added_density;
    std::optional<int> generations_per_launch;
    std::optional<Arithmetic> arithmetic;

    Conditions conditions() const {
        return {cache.value_or(CacheState::hot), submission.value_or(Submission::stream)};
    }
    // ", graph, 2 GPUs, copies, overlap": what the variant's name is followed by in tables; "" for
    // a case of one place under the usual conditions.
    std::string circumstances() const;
    // Whether it is one of one place and of no scaling series, under the usual conditions.
    bool is_usual() const { return conditions() == Conditions() && !scaling && !group; }
};

// One stretch of samples of a case, taken in a row.
struct Visit {
    int process = 0;
    int round = 0;
    std::int64_t n = 0;
    std::string stopped_by;  // "converged", "time budget" or "sample limit"
};

struct Samples {
    // Each sample is the time of this many generations (one iteration in Google Benchmark's files).
    int generations_per_sample = 1;
    std::vector<double> ns;       // in the order of the visits
    std::vector<Visit> visits;    // empty where the file does not say: then one of all
    SampleStatistics statistics;  // of ns
    std::string stopped_by;
};

// What the device's own clock says of one of a variant's kernels.
struct KernelTime {
    std::string name;
    SampleStatistics statistics;          // without outliers, which are not recorded
    std::optional<double> clock_bias_ns;  // taken off every sample, where it was measured
    std::optional<std::int64_t> shared_memory_bytes;  // of older files
    std::vector<double> samples_ns;                   // one per launch

    // Over all its launches.
    double total_ns() const { return statistics.median * static_cast<double>(statistics.n); }
};

struct KernelTimes {
    int generations = 0;  // computed by all launches together
    double ns_per_generation = 0;
    double launch_gap_ns = 0;  // what the samples have beyond the kernels, per launch
    std::vector<KernelTime> kernels;
};

// Figures that follow from a case's time.
struct Derived {
    double cells_per_second = 0;
    std::optional<double> generations_per_second;
    double application_bandwidth_bytes_per_second = 0;
    std::optional<double> share_of_copy;
    // The resource that by the model holds the variant back most, and the time that it takes at
    // least over the measured one; absent where the model or the device's limits do not say.
    std::optional<std::string> limit;
    std::optional<double> share_of_limit;
    std::optional<double> speedup_vs_baseline;
    // By the bytes that the variant's own steps must move, where the variant says how many.
    std::optional<double> step_bytes_per_cell;
    std::optional<double> step_share_of_copy;
};

// What a whole program does beside its generations, in seconds.
struct ProgramTime {
    double load = 0;             // reading or making the initial state
    double upload = 0;           // of it, to where it is computed on
    double download = 0;         // of the final state
    std::optional<double> save;  // writing it; absent where it was not written

    double seconds() const { return load + upload + download + save.value_or(0); }
};

// A loop of a kernel's text, or what stands in none: the instructions that stand in no loop inside
// of it.
struct CodeRegion {
    int within = 0;  // number of the region around it; the first one, which is no loop, has itself
    // By class, with "total", and "skippable" where there are some; accesses to global and shared
    // memory by the bytes that a lane takes at once: "global_loads_16". Of a loop without accesses
    // "rounds" is 1.
    std::map<std::string, std::int64_t> instructions;
};

// Instructions of a kernel's text that are executed together.
struct BasicBlock {
    int loop = 0;                                      // the region around them; 0: no loop
    std::vector<int> to;                               // the blocks that a warp may go on to
    bool ends = false;                                 // a warp may end here
    std::map<std::string, std::int64_t> instructions;  // as in CodeRegion
    std::map<std::string, std::int64_t> predicated;    // of its accesses, those behind a predicate
};

// Static facts of a kernel: what the compiler and the launch fixed. Absent on the host's backends.
struct Kernel {
    std::string name;
    std::optional<std::string> symbol;
    std::optional<int> registers;                      // per thread
    std::optional<std::int64_t> static_shared_bytes;   // per block
    std::optional<std::int64_t> dynamic_shared_bytes;  // per block
    std::optional<std::int64_t> local_bytes;           // per thread: spills and indexed arrays
    std::optional<double> occupancy;                   // theoretical, 0 to 1
    Told<int> shared_carve_out_percent;  // the kernel's wish; null: the driver's choice
    // Machine instructions in the program text by class, with "total"; empty where unknown.
    std::map<std::string, std::int64_t> instructions;
    // The same text by loops; empty where no loop touches memory, and in older files.
    std::vector<CodeRegion> regions;
    // The same text between branches, from where a warp begins; empty where it has but one piece,
    // where pieces are too many, and in older files.
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
    std::optional<std::string> clock_fall;  // a sentence, when the clock fell more than 2 %
};

// What the counters read of one of the kernels of a launch.
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
    int threads = 1;        // Google Benchmark's
    bool by_camber = true;  // false: an element of Google Benchmark's own
    Identity identity;
    Status status = Status::ok;
    std::string reason;     // why it was skipped or failed
    bool left_out = false;  // skipped, though it could run: its predicted time is hopeless

    std::int64_t iterations = 0;  // generations in all samples
    double real_time_ns = 0;      // median, of one generation
    double cpu_time_ns = 0;       // of the host, per generation

    std::optional<Verification> verification;
    std::optional<Samples> samples;
    std::optional<KernelTimes> kernel_times;
    std::vector<Interval> intervals;  // of a run from the start; empty where none was asked for
    std::optional<Derived> derived;
    std::optional<ProgramTime> program;  // of runs from the start
    std::vector<Kernel> kernels;
    std::optional<DeviceStates> device_state;
    std::optional<ModelRecord> model;
    std::map<std::string, double> counters;  // of the first launch, by metric
    // Of the same launch, every kernel in order. Of a single kernel it is what `counters` has, and
    // is not written.
    std::vector<KernelCounters> kernel_counters;
    std::optional<FinalState> final;

    bool timed() const { return samples.has_value() && !samples->ns.empty(); }
    double cells() const { return static_cast<double>(identity.size.cells()); }
};

// One of Google Benchmark's aggregates over the repetitions of a case (mean, median, stddev, cv).
struct Aggregate {
    std::string case_name;
    std::string name;
    int repetitions = 0;
    int threads = 1;
    bool percentage = false;  // cv: a share, not a time
    std::int64_t iterations = 0;
    double real_time = 0;  // nanoseconds per generation, or a share
    double cpu_time = 0;
};

// The times that one process measured, ns per generation (per iteration in Google Benchmark's
// files). Samples of one process share its memory placement and the state of the machine: they are
// not independent of each other.
struct ProcessTimes {
    int process = 0;
    std::vector<double> samples_ns;
    std::vector<std::size_t> visits;  // how many of them each visit took, in order
};

std::vector<ProcessTimes> times_by_process(const CaseRecord& record);
// All of them, ns per generation, in order.
std::vector<double> times_of(const CaseRecord& record);

}  // namespace camber::results
