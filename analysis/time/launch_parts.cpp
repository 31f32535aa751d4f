#include "analysis/time/launch_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr double lanes_of_warps = 32;

double as_double(std::int64_t count) {
    return static_cast<double>(count);
}

}  // namespace

double norm(std::initializer_list<double> times, double exponent) {
    double total = 0;
    for (const double time : times) total += std::pow(time, exponent);
    return std::pow(total, 1 / exponent);
}

LaunchParts::LaunchParts(const KernelWork& work, const Machine& machine, const Executions& executed)
    : work_(work),
      machine_(machine),
      executed_(executed),
      counts_(work.counts.counts),
      warps_per_block_(std::ceil(work.threads_per_block / lanes_of_warps)),
      warps_(work.blocks * warps_per_block_),
      busy_(machine.busy_share(work.blocks)) {}

std::vector<TimePart> LaunchParts::all() const {
    std::vector<TimePart> all{memory(), l2(),     l1(),      texture(), issue(),
                              pipes(),  starts(), latency(), launch()};
    std::erase_if(all, [](const TimePart& part) { return part.seconds <= 0; });
    return all;
}

double LaunchParts::fillings() const {
    return work_.blocks / machine_.sm_count / places();
}

double LaunchParts::step_bytes() const {
    return std::max(uses(Term::steps) ? work_.step_bytes : 0.0,
                    as_double(work_.counts.distinct_sectors) * sector_bytes);
}

bool LaunchParts::stays_in_l2() const {
    return work_.distinct_known && step_bytes() <= machine_.l2_bytes;
}

double LaunchParts::places() const {
    return std::max(1.0, std::round(work_.code.occupancy.value_or(1) * machine_.warps_per_sm /
                                    warps_per_block_));
}

// Mean of `of` over the launch's data, by the bytes that the step has touched since the previous
// touch.
double LaunchParts::over_visits(const std::function<double(double bytes_since)>& of) const {
    if (!uses(Term::steps)) return of(step_bytes());
    double rest = 1;
    double sum = 0;
    for (const Revisit& revisit : work_.revisits) {
        sum += revisit.share * of(revisit.bytes_since);
        rest -= revisit.share;
    }
    return sum + std::max(0.0, rest) * of(step_bytes());
}

// Share of the launch's first reads that miss L2.
double LaunchParts::missed_by_l2() const {
    if (!work_.distinct_known) return 1;
    return over_visits([&](double bytes) { return machine_.read_from_memory(bytes); });
}

// True if shared rows are evicted from L2. Blocks that process rows top to bottom in lockstep read
// the rows shared with a neighbor at different times: one block at its start, the other at its end.
// In between, a wave of blocks moves more data than L2 retains.
bool LaunchParts::shared_rows_leave_l2() const {
    if (!uses(Term::shared_rows)) return false;
    if (rounds() <= 1 || counts_.shared_store.instructions > 0) return false;
    return as_double(work_.counts.distinct_sectors) * sector_bytes / std::max(1.0, fillings()) >
           machine_.l2_bytes / 2;
}

// Sectors that blocks read again after their eviction from L2: its share follows from the bytes
// that all resident warps have read and written meanwhile.
double LaunchParts::read_anew() const {
    if (!uses(Term::reuse_in_l2)) return 0;
    const DistinctCounts& reads = work_.counts.reads;
    const double loads = as_double(counts_.global_load.sectors);
    const double written = as_double(counts_.global_store.sectors);
    const double each = std::min(work_.blocks, machine_.sm_count * places()) * warps_per_block_ *
                        sector_bytes * (1 + written / std::max(1.0, loads));
    double anew = 0;
    for (std::size_t place = 0; place < reads.returns.size(); ++place) {
        const std::int64_t sectors = reads.returns[place] + reads.of_others[place];
        if (sectors > 0)
            anew += as_double(sectors) * machine_.read_from_memory(return_distance(place) * each);
    }
    return anew;
}

// Sectors that the launch reads from its board's memory. Adjacent blocks read shared sectors at the
// same time. But a line that is fetched in parts costs as much as two: on an H200, strips of whole
// lines took at most 2 % longer to copy with a line of the next strip on either side, and 18 % with
// 16 bytes of it (results/experiments/row_copies.txt).
double LaunchParts::distinct_of_launch() const {
    const DistinctCounts& reads = work_.counts.reads;
    const double of_all = as_double(reads.grid_sectors);
    if (!shared_rows_leave_l2() || !uses(Term::shared_lines)) return of_all;
    return std::max(of_all, as_double(reads.block_sectors) * (1 - work_.read_beside));
}

TimePart LaunchParts::memory() const {
    const LaunchModel& model = work_.counts;
    const double read =
        (work_.distinct_known ? distinct_of_launch() : as_double(model.reads.block_sectors)) +
        read_anew();
    const double written =
        as_double(work_.distinct_known ? model.writes.grid_sectors : model.writes.block_sectors);
    const double sectors = read + written;
    if (sectors == 0) return {};
    const double bytes = sectors * sector_bytes;
    const auto seconds_among = [&](double working_set) {
        return bytes / machine_.memory_rate(working_set, written / sectors,
                                            uses(Term::descending_rows) ? rounds() : 1);
    };
    if (!work_.distinct_known)
        return {TimeResource::dram, seconds_among(bytes),
                "distinct bytes per block / bandwidth at that working set"};
    return {TimeResource::dram, over_visits(seconds_among),
            work_.revisits.empty()
                ? "distinct bytes per launch / bandwidth at that working set"
                : "distinct bytes per launch / bandwidth at the step's working set"};
}

// L2's time for requests. A request fetches the missing sectors of a line. Data missing in the near
// half of L2 are requested from the far half, and stores are sent there, too.
double LaunchParts::l2_requests() const {
    double lines = 0;
    double sectors = 0;
    for (const TransferCounts* loads :
         {&counts_.global_load, &counts_.texture_load, &counts_.bulk_load}) {
        lines += as_double(loads->lines);
        sectors += as_double(loads->sectors);
    }
    const double reads =
        sectors > 0 ? as_double(work_.counts.reads.block_sectors) * lines / sectors : 0;
    return reads /
               (stays_in_l2() ? machine_.l2_loads_per_second : machine_.l2_passed_on_per_second) +
           as_double(counts_.global_store.lines) / machine_.l2_passed_on_per_second;
}

TimePart LaunchParts::l2() const {
    const double reads =
        as_double(work_.counts.reads.block_sectors) * sector_bytes / machine_.l2_reads_per_second;
    const double requests = uses(Term::l2_requests) ? l2_requests() : 0;
    if (requests > reads) return {TimeResource::l2, requests, "line requests / L2 request rates"};
    return {TimeResource::l2, reads, "distinct bytes per block / L2 read bandwidth"};
}

TimePart LaunchParts::l1() const {
    const auto& c = counts_;
    // A store takes one pass per line.
    const double requests = as_double(
        c.global_load.requests +
        std::max(c.global_store.requests, uses(Term::store_lines) ? c.global_store.lines : 0) +
        c.local_load.requests + c.local_store.requests);
    // The rate of requests was measured with loads of one pass each: it includes the first.
    const double more_passes = !uses(Term::l1_passes)
                                   ? 0
                                   : std::max(0.0, as_double(c.global_load.bank_passes) -
                                                       as_double(c.global_load.requests));
    // Data that arrive from L2 are written into the same banks.
    const double filled =
        !uses(Term::l1_fills) ? 0 : as_double(work_.counts.reads.block_sectors) * sector_bytes;
    const double data = requests / machine_.l1_requests_per_second +
                        (more_passes * line_bytes + filled) / machine_.l1_bytes_per_second;
    const double shared =
        as_double(c.shared_load.passes + c.shared_store.passes + c.shared_atomic.passes) /
        machine_.shared_passes_per_second;
    return {TimeResource::l1, (shared + data) / busy_,
            shared > data ? "wavefronts / shared-memory rate"
                          : "requests, wavefronts and line fills / L1 rates"};
}

TimePart LaunchParts::texture() const {
    const double texels = as_double(counts_.texture_load.instructions) * lanes_of_warps;
    return {TimeResource::texture,
            texels /
                (work_.linear_textures && uses(Term::linear_textures)
                     ? machine_.linear_texels_per_second
                     : machine_.texels_per_second) /
                busy_,
            "texels / texture-unit rate"};
}

// Executed warp instructions in the given classes.
double LaunchParts::instructions_of(std::initializer_list<std::string_view> classes) const {
    double sum = 0;
    for (const std::string_view name : classes)
        if (const auto found = executed_.instructions.find(std::string(name));
            found != executed_.instructions.end())
            sum += found->second;
    return sum;
}

TimePart LaunchParts::issue() const {
    return {TimeResource::issue,
            warps_ * instructions_of({text_counts::total}) / machine_.issues_per_second / busy_,
            "warp instructions / issue slots"};
}

TimePart LaunchParts::pipes() const {
    struct Pipe {
        const char* basis;
        double instructions;
        double rate;
    };
    const auto count = [&](std::initializer_list<std::string_view> classes) {
        return warps_ * instructions_of(classes);
    };
    const std::array pipes{
        Pipe{"FP32 instructions / FP32 pipe rate", count({"fp32"}), machine_.fp32_warps_per_second},
        Pipe{"FP64 instructions / FP64 pipe rate", count({"fp64"}), machine_.fp64_warps_per_second},
        Pipe{"integer, logic and compare instructions / ALU rate",
             count({"integer", "logic", "shifts", "predicates"}), machine_.alu_warps_per_second},
        Pipe{"constant loads / rate of the address unit",
             uses(Term::constant_pipe) ? count({"constant_loads"}) : 0,
             machine_.constant_warps_per_second}};
    const auto& most = *std::ranges::max_element(
        pipes, {}, [](const Pipe& pipe) { return pipe.instructions / pipe.rate; });
    return {TimeResource::pipes, most.instructions / most.rate / busy_, most.basis};
}

TimePart LaunchParts::starts() const {
    return {TimeResource::starts,
            uses(Term::warp_launch) * warps_ / machine_.warp_starts_per_second / busy_,
            "warps / warp launch rate of the SMs"};
}

}  // namespace camber
