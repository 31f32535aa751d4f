// The chain of a block, and the parts of a launch's time that follow from it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/time/largest_of.hpp"
#include "analysis/time/launch_parts.hpp"
#include "harness/base/text_counts.hpp"

namespace camber {

// Accesses past L1 of which each waits for the one before.
double LaunchParts::rounds() const {
    if (counts_.shared_store.instructions > 0)
        return static_cast<double>(counts_.global_load.requests) / warps_;
    return executed_.rounds;
}

// What a block takes before its first warp computes. A multiprocessor starts the warps of a
// block one after another.
double LaunchParts::beginning() const {
    return warps_per_block_ * machine_.sm_count / machine_.warp_starts_per_second +
           first_latency(1) + (counts_.shared_load.instructions > 0 ? machine_.shared_latency : 0);
}

double LaunchParts::rounds_past_l1() const {
    if (counts_.global_load.sectors == 0 || warps_ == 0 || counts_.shared_store.instructions > 0)
        return rounds();
    return std::min(rounds(), std::max(1.0, loads_past_l1()));
}

// A warp's loads that bring what its block has not read before: the others find it in L1. What a
// request reads along rows is new as a whole or not. Of one that gathers pieces of more than two
// lines, each line is new or not by itself, and it waits for any.
double LaunchParts::loads_past_l1() const {
    const auto& loads = counts_.global_load;
    if (loads.sectors == 0 || warps_ == 0) return 0;
    const auto requests = static_cast<double>(loads.requests);
    const auto sectors = static_cast<double>(loads.sectors);
    const auto lines = static_cast<double>(loads.lines);
    const bool gathers = lines > 2 * requests && sectors < 3 * lines;  // a line has 4
    const double new_sectors = static_cast<double>(work_.counts.reads.block_sectors);
    return std::min(requests, new_sectors * (gathers ? lines : requests) / sectors) / warps_;
}

// Not where they do so once, and then wait for their loads in a loop, each at its own pace.
bool LaunchParts::warps_meet() const {
    return counts_.shared_store.instructions > 0 && !executed_.go_apart() &&
           executed_.instructions.contains("barriers") && executed_.instructions.at("barriers") > 0;
}

// Of all that any warp of a block goes through, the share of the warp that has most to do: it makes
// the loads of each call site, once at least.
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

// Between two barriers of a cluster, whoever reads another block's shared memory waits once for the
// way there and back, and all others at the barrier for it. The shared memory's own latency is
// among the waits already.
double LaunchParts::trips_to_others() const {
    const double trips =
        std::min(static_cast<double>(work_.counts.cluster_barriers),
                 static_cast<double>(counts_.distributed_load.instructions) / work_.blocks);
    return trips * std::max(0.0, machine_.distributed_latency - machine_.shared_latency);
}

// What meeting takes, by the barriers that a warp executes. Of a cluster the executor has counted
// them, and each is several instructions: a fence for all of memory, an arrival, a wait, and that
// L1 forgets its lines.
double LaunchParts::barriers(double executed) const {
    if (work_.counts.cluster_barriers > 0)
        return work_.counts.cluster_barriers * machine_.cluster_barrier + trips_to_others();
    return executed * machine_.barrier;
}

// Of code whose schedule is known. Where a block's warps meet, of the one that has most to do.
double LaunchParts::scheduled_amount(std::string_view name, const Unknowns& unknowns) const {
    const double more = times_executed(unknowns.text) / executed_.usual;
    const double busiest = warps_meet() ? busiest_share() : 0;
    const auto amount = [&](const std::map<std::string, double>& amounts) {
        const auto found = amounts.find(std::string(name));
        return found == amounts.end() ? 0 : found->second;
    };
    return std::max(amount(executed_.instructions) * more, amount(executed_.most) * busiest);
}

// Of a warp's waits for loads, those for what its block has not read before.
double LaunchParts::waits_past_l1(const Unknowns& unknowns) const {
    const double waits = scheduled_amount(text_counts::memory_waits, unknowns);
    const double most = warps_meet() || unknowns.waits == End::high ? waits
                        : unknowns.waits == End::low                ? 1
                                                     : std::max(1.0, loads_past_l1());
    return std::min(waits, most);
}

// Of code whose schedule is known: the cycles in which a warp that is alone issues, and its waits
// for results, less what it issues meanwhile. Where a block's warps meet, all wait for the one that
// has most to do. Of loads that bring what the block has not read before, the first come from where
// the board lies, the others partly from L2, where other blocks have brought it.
double LaunchParts::scheduled_chain(const Unknowns& unknowns) const {
    const bool meets = warps_meet();
    const auto of = [&](std::string_view name) { return scheduled_amount(name, unknowns); };
    const double waits = of(text_counts::memory_waits);
    const double past_l1 = waits_past_l1(unknowns);
    const double first = std::min(1.0, past_l1) * first_latency(past_l1);
    const double memory =
        first + (past_l1 - std::min(1.0, past_l1)) * latency_past_l1(pieces_of_warp(past_l1)) +
        (waits - past_l1) * machine_.l1_latency +
        last_arrives_later(past_l1, meets ? of("barriers") : 0);
    const double brief = of(text_counts::brief_waits) * machine_.shared_latency;
    const auto uncovered = [&](double wait, std::string_view covered) {
        return std::max(0.0, wait - of(covered) / machine_.clock_hz);
    };
    double fetches = 0;
    for (const Executions::Piece& piece : executed_.pieces) fetches += fetched(piece);
    const double scheduled =
        of(text_counts::cycles) / machine_.clock_hz + (meets ? barriers(of("barriers")) : 0) +
        std::max(0.0, memory - memory_covered(memory / std::max(1.0, waits), unknowns)) +
        uncovered(brief, text_counts::brief_covered);
    return warps_per_block_ * machine_.sm_count / machine_.warp_starts_per_second +
           std::max(scheduled, fetches);
}

// By what a warp issues meanwhile, of waits that last so long on average. What is covered of a wait
// grows with its length, ever more slowly, between what is told of two lengths.
double LaunchParts::memory_covered(double each, const Unknowns& unknowns) const {
    const double brief = text_counts::short_wait / machine_.clock_hz;
    const double longest = text_counts::long_wait / machine_.clock_hz;
    const auto covered = [&](std::string_view name) {
        return scheduled_amount(name, unknowns) / machine_.clock_hz;
    };
    const double of_brief = covered(text_counts::memory_covered);
    const double share = std::clamp((each - brief) / (longest - brief), 0.0, 1.0);
    return of_brief + share * std::max(0.0, covered(text_counts::long_covered) - of_brief);
}

double LaunchParts::pieces_at_once(double past_l1) const {
    return std::max(1.0, work_.pieces_of_block / std::max(1.0, past_l1));
}

// Memory is asked for any of what a block waits for at once.
double LaunchParts::asks_memory(double past_l1) const {
    return 1 - std::pow(1 - missed_by_l2(), pieces_at_once(past_l1));
}

double LaunchParts::first_latency(double past_l1) const {
    return machine_.l2_latency +
           (machine_.dram_latency - machine_.l2_latency) * asks_memory(past_l1);
}

// Distinct sectors of the launch, or where these are not known, of each of its blocks.
double LaunchParts::distinct(const DistinctCounts& of) const {
    return static_cast<double>(work_.distinct_known ? of.grid_sectors : of.block_sectors);
}

// What a block reads, other blocks may have read before. Where shared rows leave L2 they have not,
// but for cells beside the block's own: a row is there when the last of it is, which comes from
// memory.
double LaunchParts::share_from_memory() const {
    const auto& reads = work_.counts.reads;
    if (reads.block_sectors == 0) return 0;
    if (shared_rows_leave_l2()) return missed_by_l2();
    return missed_by_l2() * distinct(reads) / static_cast<double>(reads.block_sectors);
}

// That a warp waits for at once.
double LaunchParts::pieces_of_warp(double past_l1) const {
    return std::max(1.0, pieces_at_once(past_l1) / warps_per_block_);
}

// Of a warp's wait for so many pieces that its block has not read before. They lie in a row, and
// are answered more nearly together than those of several rows.
double LaunchParts::latency_past_l1(double pieces) const {
    const double share = share_from_memory();
    return machine_.l2_latency + (machine_.dram_latency - machine_.l2_latency) * share +
           (machine_.l2_row_spread + (machine_.dram_row_spread - machine_.l2_row_spread) * share) *
               largest_of(pieces);
}

// A block goes on, or ends, when the last of its requests is answered, and each is answered a
// little sooner or later than the mean: `past_l1` loads of a warp follow each other, with so many
// meetings of warps in between.
double LaunchParts::last_arrives_later(double past_l1, double meetings) const {
    if (past_l1 <= 0) return 0;
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

// Without a schedule, at best no instruction waits for the one before, and a warp issues one a
// cycle.
double LaunchParts::chain(const Unknowns& unknowns) const {
    if (executed_.instructions.contains(std::string(text_counts::cycles)))
        return scheduled_chain(unknowns);
    const double each =
        unknowns.waits == End::low ? 1 / machine_.clock_hz : machine_.arithmetic_latency;
    return beginning() + std::max(0.0, rounds_past_l1() - 1) * machine_.l2_latency +
           last_arrives_later(rounds_past_l1(), 0) +
           each * instructions_of({text_counts::total}, unknowns.text) + barriers(0);
}

// Times that a place is filled, or as often as the busiest warp of the launch goes on meanwhile.
double LaunchParts::most_spread_fillings() const {
    // Where warps meet, the chain is that of the busiest already.
    const LoadSpread spread = warps_meet() ? LoadSpread() : work_.spread;
    return std::max(spread.of_block * std::max(1.0, fillings()), spread.of_launch);
}

TimePart LaunchParts::latency(const Unknowns& unknowns) const {
    return {TimeResource::latency, chain(unknowns) * most_spread_fillings(),
            fmt::format("dependency chain of a block * {:.0f} waves of {:.0f} blocks per SM",
                        std::ceil(std::max(1.0, fillings())), places())};
}

LaunchParts::MemoryWaits LaunchParts::memory_waits() const {
    const auto& reads = work_.counts.reads;
    if (reads.block_sectors == 0) return {};
    const bool scheduled = executed_.instructions.contains(std::string(text_counts::cycles));
    const double past_l1 =
        std::min(scheduled ? waits_past_l1({}) : rounds_past_l1(), std::max(1.0, loads_past_l1()));
    const double first = std::min(1.0, past_l1);
    const double read = distinct(reads);
    const double written = distinct(work_.counts.writes);
    return {
        (first * missed_by_l2() + (past_l1 - first) * share_from_memory()) * most_spread_fillings(),
        machine_.loaded.delay(written / (read + written), pieces_at_once(past_l1)), missed_by_l2()};
}

// The last blocks to start lie at the board's end, and take the forms for its edge.
double LaunchParts::longer_at_edge() const {
    if (!executed_.instructions.contains(std::string(text_counts::cycles)) ||
        executed_.edge.empty())
        return 0;
    Executions edge = executed_;
    edge.instructions = executed_.edge;
    edge.most.clear();
    return std::max(0.0, LaunchParts(work_, machine_, edge).chain({}) - chain({}));
}

TimePart LaunchParts::launch() const {
    return {TimeResource::launch, machine_.stream_gap + beginning() + longer_at_edge(),
            "start and end of a kernel, start of a block, and extra time of blocks at the board's "
            "edge"};
}

}  // namespace camber
