#include "analysis/time/launch_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/time/curves.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

double as_double(std::int64_t count) {
    return static_cast<double>(count);
}

double bytes_of(std::int64_t sectors) {
    return as_double(sectors) * sector_bytes;
}

class Launch {
  public:
    Launch(const KernelWork& work, const Machine& machine, const Executions& executed)
        : work_(work),
          machine_(machine),
          executed_(executed),
          counts_(work.counts.counts),
          reads_(work.counts.reads),
          warps_per_block_(warps_per_block(work)),
          warps_(work.blocks * warps_per_block_),
          busy_(machine.busy_share(work.blocks)),
          places_(std::max(1.0, std::round(work.code.occupancy.value_or(1) * machine.warps_per_sm /
                                           warps_per_block_))),
          fillings_(work.blocks / machine.sm_count / places_),
          step_bytes_(std::max(uses(Term::steps) ? work.step_bytes : 0.0,
                               bytes_of(work.counts.distinct_sectors))),
          stages_(counts_.shared_store.instructions > 0),
          meets_(stages_ && amount_of(executed.instructions, "barriers") > 0),
          scheduled_(executed.instructions.contains(std::string(text_counts::cycles))) {
        if (work.distinct_known)
            missed_by_l2_ =
                over_visits([&](double bytes) { return machine_.read_from_memory(bytes); });
    }

    LaunchParts parts() const {
        LaunchParts all{
            {memory(), l2(), l1(), texture(), issue(), pipes(), starts(), latency(), launch()},
            fillings_,
            memory_waits()};
        std::erase_if(all.parts, [](const TimePart& part) { return part.seconds <= 0; });
        return all;
    }

  private:
    bool uses(Term term) const { return machine_.settings.uses(term); }

    // ---- DRAM and L2

    // Mean of `of(bytes touched since the previous touch)` over the launch's data.
    double over_visits(const auto& of) const {
        if (!uses(Term::steps)) return of(step_bytes_);
        double rest = 1;
        double sum = 0;
        for (const Revisit& revisit : work_.revisits) {
            sum += revisit.share * of(revisit.bytes_since);
            rest -= revisit.share;
        }
        return sum + std::max(0.0, rest) * of(step_bytes_);
    }

    // True if shared rows are evicted from L2. Blocks that process rows top to bottom in lockstep
    // read the rows shared with a neighbor at different times: one block at its start, the other at
    // its end. In between, a wave of blocks moves more data than L2 retains.
    bool shared_rows_leave_l2() const {
        return uses(Term::shared_rows) && rounds() > 1 && !stages_ &&
               bytes_of(work_.counts.distinct_sectors) / std::max(1.0, fillings_) >
                   machine_.l2_bytes / 2;
    }

    // Sectors that blocks read again after their eviction from L2: its share follows from the bytes
    // that all resident warps have read and written meanwhile (reuse distance).
    double read_anew() const {
        if (!uses(Term::reuse_in_l2)) return 0;
        const double loads = as_double(counts_.global_load.sectors);
        const double written = as_double(counts_.global_store.sectors);
        const double each = std::min(work_.blocks, machine_.sm_count * places_) * warps_per_block_ *
                            sector_bytes * (1 + written / std::max(1.0, loads));
        double anew = 0;
        for (std::size_t place = 0; place < reads_.returns.size(); ++place) {
            const std::int64_t sectors = reads_.returns[place] + reads_.of_others[place];
            if (sectors > 0)
                anew +=
                    as_double(sectors) * machine_.read_from_memory(return_distance(place) * each);
        }
        return anew;
    }

    // Sectors that the launch reads from its board's memory. Adjacent blocks read shared sectors at
    // the same time, but a line that is fetched in parts costs as much as two
    // (results/experiments/row_copies.txt).
    double distinct_of_launch() const {
        const double of_all = as_double(reads_.grid_sectors);
        if (!shared_rows_leave_l2() || !uses(Term::shared_lines)) return of_all;
        return std::max(of_all, as_double(reads_.block_sectors) * (1 - work_.read_beside));
    }

    TimePart memory() const {
        const bool known = work_.distinct_known;
        const double read =
            (known ? distinct_of_launch() : as_double(reads_.block_sectors)) + read_anew();
        const double written = distinct(work_.counts.writes);
        const double sectors = read + written;
        if (sectors == 0) return {};
        const double bytes = sectors * sector_bytes;
        const auto seconds_among = [&](double working_set) {
            return bytes / machine_.memory_rate(working_set, written / sectors,
                                                uses(Term::descending_rows) ? rounds() : 1);
        };
        if (!known)
            return {TimeResource::dram, seconds_among(bytes),
                    "distinct bytes per block / bandwidth at that working set"};
        return {TimeResource::dram, over_visits(seconds_among),
                work_.revisits.empty()
                    ? "distinct bytes per launch / bandwidth at that working set"
                    : "distinct bytes per launch / bandwidth at the step's working set"};
    }

    // A request fetches the missing sectors of a line. Data missing in the near half of L2 are
    // requested from the far half, and stores are sent there, too.
    double l2_requests() const {
        double lines = 0;
        double sectors = 0;
        for (const TransferCounts* loads :
             {&counts_.global_load, &counts_.texture_load, &counts_.bulk_load}) {
            lines += as_double(loads->lines);
            sectors += as_double(loads->sectors);
        }
        const double reads = sectors > 0 ? as_double(reads_.block_sectors) * lines / sectors : 0;
        const bool in_l2 = work_.distinct_known && step_bytes_ <= machine_.l2_bytes;
        return reads / (in_l2 ? machine_.l2_loads_per_second : machine_.l2_passed_on_per_second) +
               as_double(counts_.global_store.lines) / machine_.l2_passed_on_per_second;
    }

    TimePart l2() const {
        const double reads = bytes_of(reads_.block_sectors) / machine_.l2_reads_per_second;
        const double requests = uses(Term::l2_requests) * l2_requests();
        return {TimeResource::l2, std::max(reads, requests),
                requests > reads ? "line requests / L2 request rates"
                                 : "distinct bytes per block / L2 read bandwidth"};
    }

    // ---- SM throughput

    TimePart l1() const {
        const auto& c = counts_;
        // A store takes one pass per line.
        const std::int64_t stores =
            std::max(c.global_store.requests, uses(Term::store_lines) * c.global_store.lines);
        const double requests = as_double(c.global_load.requests + stores + c.local_load.requests +
                                          c.local_store.requests);
        // The rate of requests was measured with loads of one pass each: it includes the first.
        const double more_passes =
            uses(Term::l1_passes) *
            std::max(0.0, as_double(c.global_load.bank_passes - c.global_load.requests));
        // Data that arrive from L2 are written into the same banks.
        const double filled = uses(Term::l1_fills) * bytes_of(reads_.block_sectors);
        const double data = requests / machine_.l1_requests_per_second +
                            (more_passes * line_bytes + filled) / machine_.l1_bytes_per_second;
        const double shared =
            as_double(c.shared_load.passes + c.shared_store.passes + c.shared_atomic.passes) /
            machine_.shared_passes_per_second;
        return {TimeResource::l1, (shared + data) / busy_,
                shared > data ? "wavefronts / shared-memory rate"
                              : "requests, wavefronts and line fills / L1 rates"};
    }

    TimePart texture() const {
        const double texels = as_double(counts_.texture_load.instructions) * warp_lanes;
        const bool linear = work_.linear_textures && uses(Term::linear_textures);
        return {TimeResource::texture,
                texels / (linear ? machine_.linear_texels_per_second : machine_.texels_per_second) /
                    busy_,
                "texels / texture-unit rate"};
    }

    // Executed warp instructions in the given classes.
    double executed(std::initializer_list<std::string_view> classes) const {
        return warps_ * sum_of(executed_.instructions, classes);
    }

    TimePart issue() const {
        return {TimeResource::issue,
                executed({text_counts::total}) / machine_.issues_per_second / busy_,
                "warp instructions / issue slots"};
    }

    TimePart pipes() const {
        const std::array pipes{std::pair{executed({"fp32"}) / machine_.fp32_warps_per_second,
                                         "FP32 instructions / FP32 pipe rate"},
                               std::pair{executed({"fp64"}) / machine_.fp64_warps_per_second,
                                         "FP64 instructions / FP64 pipe rate"},
                               std::pair{executed({"integer", "logic", "shifts", "predicates"}) /
                                             machine_.alu_warps_per_second,
                                         "integer, logic and compare instructions / ALU rate"},
                               std::pair{uses(Term::constant_pipe) * executed({"constant_loads"}) /
                                             machine_.constant_warps_per_second,
                                         "constant loads / rate of the address unit"}};
        const auto& [seconds, basis] =
            *std::ranges::max_element(pipes, {}, [](const auto& pipe) { return pipe.first; });
        return {TimeResource::pipes, seconds / busy_, basis};
    }

    TimePart starts() const {
        return {TimeResource::starts,
                uses(Term::warp_launch) * warps_ / machine_.warp_starts_per_second / busy_,
                "warps / warp launch rate of the SMs"};
    }

    // ---- loads past L1

    // Number of dependent accesses past L1.
    double rounds() const {
        return stages_ ? as_double(counts_.global_load.requests) / warps_ : executed_.rounds;
    }

    double rounds_past_l1() const {
        if (counts_.global_load.sectors == 0 || warps_ == 0 || stages_) return rounds();
        return std::min(rounds(), std::max(1.0, loads_past_l1()));
    }

    // Number of a warp's loads of data that is new to its block; other loads hit in L1. A request
    // that reads along rows is either completely new or not. If a request gathers pieces of more
    // than two lines, each line may be new by itself, and the load waits for any of them.
    double loads_past_l1() const {
        if (counts_.global_load.sectors == 0 || warps_ == 0) return 0;
        const double requests = as_double(counts_.global_load.requests);
        const double sectors = as_double(counts_.global_load.sectors);
        const double lines = as_double(counts_.global_load.lines);
        const bool gathers = lines > 2 * requests && sectors < 3 * lines;  // a line has 4 sectors
        return std::min(requests,
                        as_double(reads_.block_sectors) * (gathers ? lines : requests) / sectors) /
               warps_;
    }

    // Number of a warp's load stalls that wait for data new to its block.
    double waits_past_l1() const {
        const double waits = scheduled_amount(text_counts::memory_waits);
        return std::min(waits, meets_ ? waits : std::max(1.0, loads_past_l1()));
    }

    // Number of memory pieces that a block waits for at once.
    double pieces_at_once(double past_l1) const {
        return std::max(1.0, uses(Term::pieces) * work_.pieces_of_block / std::max(1.0, past_l1));
    }

    // Probability that at least one of the pieces that a block waits for comes from DRAM.
    double asks_memory(double past_l1) const {
        return 1 - std::pow(1 - missed_by_l2_, pieces_at_once(past_l1));
    }

    double latency_of(double share_of_dram) const {
        return machine_.l2_latency + (machine_.dram_latency - machine_.l2_latency) * share_of_dram;
    }

    // If it is unknown, the sum over blocks.
    double distinct(const DistinctCounts& of) const {
        return as_double(work_.distinct_known ? of.grid_sectors : of.block_sectors);
    }

    // Share of a block's reads that come from DRAM. Other blocks may have read the data before,
    // unless shared rows have left L2.
    double share_from_memory() const {
        if (reads_.block_sectors == 0) return 0;
        if (shared_rows_leave_l2() || !uses(Term::share_of_dram)) return missed_by_l2_;
        return missed_by_l2_ * distinct(reads_) / as_double(reads_.block_sectors);
    }

    // Latency of a warp's wait for data that is new to its block. Pieces of one row arrive closer
    // together than pieces of several rows.
    double latency_past_l1(double past_l1) const {
        const double pieces = std::max(1.0, pieces_at_once(past_l1) / warps_per_block_);
        const double share = share_from_memory();
        return latency_of(share) +
               uses(Term::row_spread) *
                   (machine_.l2_row_spread +
                    (machine_.dram_row_spread - machine_.l2_row_spread) * share) *
                   largest_of(pieces);
    }

    // Additional latency because a block continues or ends only when its last request is answered,
    // while latencies scatter around the mean. `past_l1`: dependent loads of a warp; `meetings`:
    // number of synchronizations between them.
    double last_arrives_later(double past_l1, double meetings) const {
        if (past_l1 <= 0 || !uses(Term::last_answer)) return 0;
        const double stages = std::max(1.0, past_l1);
        const double met = std::clamp(meetings, 1.0, stages);
        const double share = share_from_memory();
        const double apart = machine_.dram_latency - machine_.l2_latency;
        const double pieces = pieces_at_once(past_l1);
        const double asks = asks_memory(past_l1);
        const double first = asks * machine_.dram_spread * largest_of(pieces * missed_by_l2_) +
                             (1 - asks) * machine_.l2_spread * largest_of(pieces);
        const double further = (1 - share) * std::pow(machine_.l2_spread, 2) +
                               share * std::pow(machine_.dram_spread, 2) +
                               share * (1 - share) * apart * apart;
        return std::sqrt(
            met * (first * first + (stages - 1) * further * std::pow(largest_of(pieces), 2)));
    }

    LaunchParts::MemoryWaits memory_waits() const {
        if (reads_.block_sectors == 0 || !uses(Term::loaded_latency)) return {};
        const double past_l1 = std::min(scheduled_ ? waits_past_l1() : rounds_past_l1(),
                                        std::max(1.0, loads_past_l1()));
        const double first = std::min(1.0, past_l1);
        const double read = distinct(reads_);
        const double written = distinct(work_.counts.writes);
        return {(first * missed_by_l2_ + (past_l1 - first) * share_from_memory()) *
                    most_spread_fillings(),
                machine_.loaded.delay(written / (read + written),
                                      uses(Term::loaded_pieces) ? pieces_at_once(past_l1) : 8),
                missed_by_l2_};
    }

    // ---- dependency chain of a block

    // An SM starts the warps of a block one after another.
    double start_of_warps() const {
        return warps_per_block_ * machine_.sm_count / machine_.warp_starts_per_second;
    }

    // Time until the first warp of a block computes.
    double beginning() const {
        return start_of_warps() + latency_of(asks_memory(1)) +
               (counts_.shared_load.instructions > 0 ? machine_.shared_latency : 0);
    }

    // Share of the block's code that its busiest warp executes. That warp executes the loads of
    // every call site at least once.
    double busiest_share() const {
        double made = 0;
        for (const SiteCounts& site : work_.counts.sites)
            if (const double loads = as_double(site.counts.global_load.instructions); loads > 0)
                made += std::max(1.0, loads / warps_);
        double in_text = 0;
        for (const auto& [name, count] : executed_.most)
            if (name.starts_with("global_loads")) in_text += count;
        return made > 0 && in_text > made ? made / in_text : 1;
    }

    // Cluster barriers. Between two of them, a warp that reads another block's shared memory waits
    // for one round trip, and all others wait for it at the barrier. The latency of shared memory
    // itself is already part of the stalls.
    double cluster_waits() const {
        const double barriers = work_.counts.cluster_barriers;
        if (barriers == 0 || !uses(Term::cluster_trips)) return 0;
        const double trips =
            std::min(barriers, as_double(counts_.distributed_load.instructions) / work_.blocks);
        return barriers * machine_.cluster_barrier +
               trips * std::max(0.0, machine_.distributed_latency - machine_.shared_latency);
    }

    // Amount of the busiest warp if the warps of a block synchronize.
    double scheduled_amount(std::string_view name) const {
        const double busiest = uses(Term::busiest_warp) && meets_ ? busiest_share() : 0;
        return std::max(amount_of(executed_.instructions, name),
                        amount_of(executed_.most, name) * busiest);
    }

    // Issue cycles of a single warp plus its stalls, less what it issues meanwhile. Among loads of
    // data new to the block, the first come from where the board is stored; the others come partly
    // from L2, where other blocks have brought the data.
    double scheduled_chain() const {
        const auto of = [&](std::string_view name) { return scheduled_amount(name); };
        const double past_l1 = waits_past_l1();
        const double first = std::min(1.0, past_l1);
        const double memory = first * latency_of(asks_memory(past_l1)) +
                              (past_l1 - first) * latency_past_l1(past_l1) +
                              (of(text_counts::memory_waits) - past_l1) * machine_.l1_latency +
                              last_arrives_later(past_l1, meets_ ? of("barriers") : 0);
        const double brief =
            uses(Term::brief_waits) * of(text_counts::brief_waits) * machine_.shared_latency;
        const auto uncovered = [&](double wait, std::string_view covered) {
            return std::max(0.0, wait - of(covered) / machine_.clock_hz);
        };
        return start_of_warps() + of(text_counts::cycles) / machine_.clock_hz +
               (meets_ ? cluster_waits() : 0) +
               (uses(Term::cover) ? uncovered(memory, text_counts::memory_covered) : memory) +
               uncovered(brief, text_counts::brief_covered);
    }

    // Dependency chain. Without a schedule, each instruction depends on the one before.
    double chain() const {
        if (scheduled_) return scheduled_chain();
        const double total = amount_of(executed_.instructions, text_counts::total);
        return beginning() + std::max(0.0, rounds_past_l1() - 1) * machine_.l2_latency +
               last_arrives_later(rounds_past_l1(), 0) + machine_.arithmetic_latency * total +
               cluster_waits();
    }

    // Number of waves, or executions by the busiest warp of the launch if larger.
    double most_spread_fillings() const {
        // If warps synchronize, the chain already is that of the busiest warp.
        const LoadSpread spread =
            meets_ || !uses(Term::unequal_warps) ? LoadSpread() : work_.spread;
        return std::max(spread.of_block * std::max(1.0, fillings_), spread.of_launch);
    }

    TimePart latency() const {
        return {TimeResource::latency, chain() * most_spread_fillings(),
                fmt::format("dependency chain of a block * {:.0f} waves of {:.0f} blocks per SM",
                            std::ceil(std::max(1.0, fillings_)), places_)};
    }

    // Additional time of the last blocks to start, which are at the board's edge and execute
    // boundary forms.
    double longer_at_edge() const {
        if (!scheduled_ || executed_.edge.empty() || !uses(Term::edge_blocks)) return 0;
        Executions edge = executed_;
        edge.instructions = executed_.edge;
        edge.most.clear();
        return std::max(0.0, Launch(work_, machine_, edge).chain() - chain());
    }

    TimePart launch() const {
        return {TimeResource::launch, machine_.stream_gap + beginning() + longer_at_edge(),
                "start and end of a kernel, start of a block, and extra time of blocks at the "
                "board's edge"};
    }

    const KernelWork& work_;
    const Machine& machine_;
    const Executions& executed_;
    const AccessCounts& counts_;
    const DistinctCounts& reads_;
    double warps_per_block_;
    double warps_;
    double busy_;    // share of the SMs that have a block
    double places_;  // resident blocks per SM
    double fillings_;
    double step_bytes_;
    bool stages_;              // words in shared memory
    bool meets_;               // the warps of a block synchronize
    bool scheduled_;           // the code has a schedule
    double missed_by_l2_ = 1;  // share of the launch's first reads
};

}  // namespace

double norm(std::initializer_list<double> times, double exponent) {
    double total = 0;
    for (const double time : times) total += std::pow(time, exponent);
    return std::pow(total, 1 / exponent);
}

LaunchParts launch_parts(const KernelWork& work, const Machine& machine,
                         const Executions& executed) {
    return Launch(work, machine, executed).parts();
}

}  // namespace camber
