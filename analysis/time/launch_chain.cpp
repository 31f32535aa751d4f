// Dependency chain of a block, and the parts of a launch's time that follow from it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/time/curves.hpp"
#include "analysis/time/launch_parts.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {

// Number of dependent accesses past L1.
double LaunchParts::rounds() const {
    if (counts_.shared_store.instructions > 0)
        return static_cast<double>(counts_.global_load.requests) / warps_;
    return executed_.rounds;
}

// Time until the first warp of a block computes: an SM starts the warps of a block one after
// another.
double LaunchParts::beginning() const {
    return warps_per_block_ * machine_.sm_count / machine_.warp_starts_per_second +
           first_latency(1) + (counts_.shared_load.instructions > 0 ? machine_.shared_latency : 0);
}

double LaunchParts::rounds_past_l1() const {
    if (counts_.global_load.sectors == 0 || warps_ == 0 || counts_.shared_store.instructions > 0)
        return rounds();
    return std::min(rounds(), std::max(1.0, loads_past_l1()));
}

// Number of a warp's loads of data that is new to its block; other loads hit in L1. A request that
// reads along rows is either completely new or not. If a request gathers pieces of more than two
// lines, each line may be new by itself, and the load waits for any of them.
double LaunchParts::loads_past_l1() const {
    const auto& loads = counts_.global_load;
    if (loads.sectors == 0 || warps_ == 0) return 0;
    const auto requests = static_cast<double>(loads.requests);
    const auto sectors = static_cast<double>(loads.sectors);
    const auto lines = static_cast<double>(loads.lines);
    const bool gathers = lines > 2 * requests && sectors < 3 * lines;  // a line has 4 sectors
    const double new_sectors = static_cast<double>(work_.counts.reads.block_sectors);
    return std::min(requests, new_sectors * (gathers ? lines : requests) / sectors) / warps_;
}

// True if the warps of a block synchronize.
bool LaunchParts::warps_meet() const {
    return counts_.shared_store.instructions > 0 && executed_.instructions.contains("barriers") &&
           executed_.instructions.at("barriers") > 0;
}

// Share of the block's code that its busiest warp executes. That warp executes the loads of every
// call site at least once.
double LaunchParts::busiest_share() const {
    double made = 0;
    for (const SiteCounts& site : work_.counts.sites)
        if (const auto loads = static_cast<double>(site.counts.global_load.instructions); loads > 0)
            made += std::max(1.0, loads / warps_);
    double in_text = 0;
    for (const auto& [name, count] : executed_.most)
        if (name.starts_with("global_loads")) in_text += count;
    return made > 0 && in_text > made ? made / in_text : 1;
}

// Cost of the cluster barriers that a warp executes: each one is several instructions, a fence for
// all memory, an arrival, a wait, and an invalidation of L1. Between two of them, a warp that reads
// another block's shared memory waits for one round trip, and all others wait for it at the
// barrier. The latency of shared memory itself is already part of the stalls.
double LaunchParts::cluster_waits() const {
    const double barriers = work_.counts.cluster_barriers;
    if (barriers == 0 || !uses(Term::cluster_trips)) return 0;
    const double trips = std::min(
        barriers, static_cast<double>(counts_.distributed_load.instructions) / work_.blocks);
    return barriers * machine_.cluster_barrier +
           trips * std::max(0.0, machine_.distributed_latency - machine_.shared_latency);
}

// Amount for code with a known schedule; for the busiest warp if the warps of a block synchronize.
double LaunchParts::scheduled_amount(std::string_view name) const {
    const double busiest = uses(Term::busiest_warp) && warps_meet() ? busiest_share() : 0;
    const auto amount = [&](const std::map<std::string, double>& amounts) {
        const auto found = amounts.find(std::string(name));
        return found == amounts.end() ? 0 : found->second;
    };
    return std::max(amount(executed_.instructions), amount(executed_.most) * busiest);
}

// Number of a warp's load stalls that wait for data new to its block.
double LaunchParts::waits_past_l1() const {
    const double waits = scheduled_amount(text_counts::memory_waits);
    const double most = warps_meet() ? waits : std::max(1.0, loads_past_l1());
    return std::min(waits, most);
}

// Dependency chain of code with a known schedule: issue cycles of a single warp plus its stalls,
// less what it issues meanwhile. If the warps of a block synchronize, all wait for the busiest one.
// Among loads of data new to the block, the first come from where the board is stored; the others
// come partly from L2, where other blocks have brought the data.
double LaunchParts::scheduled_chain() const {
    const bool meets = warps_meet();
    const auto of = [&](std::string_view name) { return scheduled_amount(name); };
    const double waits = of(text_counts::memory_waits);
    const double past_l1 = waits_past_l1();
    const double first = std::min(1.0, past_l1) * first_latency(past_l1);
    const double memory =
        first + (past_l1 - std::min(1.0, past_l1)) * latency_past_l1(pieces_of_warp(past_l1)) +
        (waits - past_l1) * machine_.l1_latency +
        last_arrives_later(past_l1, meets ? of("barriers") : 0);
    const double brief =
        uses(Term::brief_waits) * of(text_counts::brief_waits) * machine_.shared_latency;
    const auto uncovered = [&](double wait, std::string_view covered) {
        return std::max(0.0, wait - of(covered) / machine_.clock_hz);
    };
    return warps_per_block_ * machine_.sm_count / machine_.warp_starts_per_second +
           of(text_counts::cycles) / machine_.clock_hz + (meets ? cluster_waits() : 0) +
           (uses(Term::cover) ? uncovered(memory, text_counts::memory_covered) : memory) +
           uncovered(brief, text_counts::brief_covered);
}

double LaunchParts::pieces_at_once(double past_l1) const {
    return std::max(1.0, uses(Term::pieces) * work_.pieces_of_block / std::max(1.0, past_l1));
}

// Probability that at least one of the pieces that a block waits for comes from DRAM.
double LaunchParts::asks_memory(double past_l1) const {
    return 1 - std::pow(1 - missed_by_l2(), pieces_at_once(past_l1));
}

double LaunchParts::first_latency(double past_l1) const {
    return machine_.l2_latency +
           (machine_.dram_latency - machine_.l2_latency) * asks_memory(past_l1);
}

// Distinct sectors of the launch; if unknown, the sum of each block's distinct sectors.
double LaunchParts::distinct(const DistinctCounts& of) const {
    return static_cast<double>(work_.distinct_known ? of.grid_sectors : of.block_sectors);
}

// Share of a block's reads that come from DRAM. Other blocks may have read the data before, unless
// shared rows have left L2. Cells beside the block's own are an exception: a row is complete when
// its last sector arrives, and that one comes from DRAM.
double LaunchParts::share_from_memory() const {
    const auto& reads = work_.counts.reads;
    if (reads.block_sectors == 0) return 0;
    if (shared_rows_leave_l2() || !uses(Term::share_of_dram)) return missed_by_l2();
    return missed_by_l2() * distinct(reads) / static_cast<double>(reads.block_sectors);
}

// Number of memory pieces that a warp waits for at once.
double LaunchParts::pieces_of_warp(double past_l1) const {
    return std::max(1.0, pieces_at_once(past_l1) / warps_per_block_);
}

// Latency of a warp's wait for `pieces` pieces that are new to its block. Pieces of one row arrive
// closer together than pieces of several rows.
double LaunchParts::latency_past_l1(double pieces) const {
    const double share = share_from_memory();
    return machine_.l2_latency + (machine_.dram_latency - machine_.l2_latency) * share +
           uses(Term::row_spread) *
               (machine_.l2_row_spread +
                (machine_.dram_row_spread - machine_.l2_row_spread) * share) *
               largest_of(pieces);
}

// Additional latency because a block continues or ends only when its last request is answered,
// while latencies scatter around the mean. `past_l1`: dependent loads of a warp; `meetings`: number
// of synchronizations between them.
double LaunchParts::last_arrives_later(double past_l1, double meetings) const {
    if (past_l1 <= 0 || !uses(Term::last_answer)) return 0;
    const double stages = std::max(1.0, past_l1);
    const double met = std::clamp(meetings, 1.0, stages);
    const double share = share_from_memory();
    const double apart = machine_.dram_latency - machine_.l2_latency;
    const double pieces = pieces_at_once(past_l1);
    const double asks = asks_memory(past_l1);
    const double first = asks * machine_.dram_spread * largest_of(pieces * missed_by_l2()) +
                         (1 - asks) * machine_.l2_spread * largest_of(pieces);
    const double further = (1 - share) * std::pow(machine_.l2_spread, 2) +
                           share * std::pow(machine_.dram_spread, 2) +
                           share * (1 - share) * apart * apart;
    return std::sqrt(met *
                     (first * first + (stages - 1) * further * std::pow(largest_of(pieces), 2)));
}

// Dependency chain of a block. Without a schedule, each instruction depends on the one before.
double LaunchParts::chain() const {
    if (executed_.instructions.contains(std::string(text_counts::cycles))) return scheduled_chain();
    return beginning() + std::max(0.0, rounds_past_l1() - 1) * machine_.l2_latency +
           last_arrives_later(rounds_past_l1(), 0) +
           machine_.arithmetic_latency * instructions_of({text_counts::total}) + cluster_waits();
}

// Number of waves, or executions by the busiest warp of the launch if larger.
double LaunchParts::most_spread_fillings() const {
    // If warps synchronize, the chain already is that of the busiest warp.
    const LoadSpread spread =
        warps_meet() || !uses(Term::unequal_warps) ? LoadSpread() : work_.spread;
    return std::max(spread.of_block * std::max(1.0, fillings()), spread.of_launch);
}

TimePart LaunchParts::latency() const {
    return {TimeResource::latency, chain() * most_spread_fillings(),
            fmt::format("dependency chain of a block * {:.0f} waves of {:.0f} blocks per SM",
                        std::ceil(std::max(1.0, fillings())), places())};
}

LaunchParts::MemoryWaits LaunchParts::memory_waits() const {
    const auto& reads = work_.counts.reads;
    if (reads.block_sectors == 0 || !uses(Term::loaded_latency)) return {};
    const bool scheduled = executed_.instructions.contains(std::string(text_counts::cycles));
    const double past_l1 =
        std::min(scheduled ? waits_past_l1() : rounds_past_l1(), std::max(1.0, loads_past_l1()));
    const double first = std::min(1.0, past_l1);
    const double read = distinct(reads);
    const double written = distinct(work_.counts.writes);
    return {
        (first * missed_by_l2() + (past_l1 - first) * share_from_memory()) * most_spread_fillings(),
        machine_.loaded.delay(written / (read + written),
                              uses(Term::loaded_pieces) ? pieces_at_once(past_l1) : 8),
        missed_by_l2()};
}

// Additional time of the last blocks to start, which are at the board's edge and execute boundary
// forms.
double LaunchParts::longer_at_edge() const {
    if (!executed_.instructions.contains(std::string(text_counts::cycles)) ||
        executed_.edge.empty() || !uses(Term::edge_blocks))
        return 0;
    Executions edge = executed_;
    edge.instructions = executed_.edge;
    edge.most.clear();
    return std::max(0.0, LaunchParts(work_, machine_, edge).chain() - chain());
}

TimePart LaunchParts::launch() const {
    return {TimeResource::launch, machine_.stream_gap + beginning() + longer_at_edge(),
            "start and end of a kernel, start of a block, and extra time of blocks at the board's "
            "edge"};
}

}  // namespace camber
