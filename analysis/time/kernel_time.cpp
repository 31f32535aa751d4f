#include "analysis/time/kernel_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "analysis/time/early_kernel_time.hpp"
#include "analysis/time/executed.hpp"
#include "analysis/time/launch_parts.hpp"
#include "analysis/time/reliability.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

// Overlap exponent for warps that share work dynamically and end together: two warps queue for a
// pipe at random, and their dependency chain takes three quarters of its time (mean value analysis:
// Reiser and Lavenberg 1980, "Mean-Value Analysis of Closed Multichain Queuing Networks").
constexpr double shared_overlap = 3.7;

constexpr double unequal_warps = 1.5;  // loads of the busiest warp over the average

// Combined time of a fraction `share` of a launch's work, with a dependency chain `chains` times
// that of the parts. Issue slots and pipes are two views of the same instructions, DRAM and L2 of
// the same bytes, warp starts and dependency chains of the same residency: only the larger one of
// each pair counts.
double overlapped(const LaunchParts& launch, double share, double chains, double exponent) {
    const auto of = [&](TimeResource resource) {
        return seconds_of(launch.parts, resource) *
               (resource == TimeResource::latency ? chains : share);
    };
    const auto others = [&](double delays) {
        return norm({of(TimeResource::l1), of(TimeResource::texture),
                     std::max(of(TimeResource::issue), of(TimeResource::pipes)),
                     std::max(of(TimeResource::latency) + delays, of(TimeResource::starts))},
                    exponent);
    };
    const double memory = of(TimeResource::dram);
    const double moved = norm({std::max(memory, of(TimeResource::l2)), others(0)}, exponent);
    const LaunchParts::MemoryWaits& waits = launch.waits;
    if (waits.number <= 0 || memory <= 0) return moved;
    // Self-consistent time: stalls have the latency that results from the memory utilization at
    // that time. Solved by bisection; at the lower end of the interval the latency is infinite.
    const auto longer = [&](double time) {
        return others(waits.number * chains * waits.delay * LoadedMemory::growth(memory / time));
    };
    double low = memory;
    double high = memory + longer(memory);
    constexpr int halvings = 50;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (longer(middle) > middle ? low : high) = middle;
    }
    return moved + waits.missed * std::max(0.0, high - moved);
}

// The last wave has fewer blocks, whose stalls are as long as those of other waves.
double combined(const LaunchParts& launch, double early_exponent, double fillings,
                const ModelSettings& settings) {
    const auto seconds = [&](double number, double chains, double exponent) {
        return number <= 0 ? 0.0 : overlapped(launch, number / fillings, chains, exponent);
    };
    const double whole =
        settings.uses(Term::last_wave) ? std::floor(fillings) : std::max(1.0, fillings);
    const double early = std::min(whole, early_fillings);
    const double later = whole - early;
    const double moved =
        whole > 0 ? seconds(early, early / fillings, early_exponent) +
                        seconds(later, later / fillings, usual_overlap) +
                        seconds(std::max(0.0, fillings - whole), 1 / fillings, usual_overlap)
                  : seconds(fillings, 1, early_exponent);
    return moved + seconds_of(launch.parts, TimeResource::launch);
}

// Adds the part for loaded latency to the predicted time.
void add_delays(PredictedTime& time, const LaunchParts::MemoryWaits& waits) {
    const double memory = seconds_of(time.parts, TimeResource::dram);
    if (memory <= 0 || waits.number <= 0) return;
    const double use = memory / (time.seconds - seconds_of(time.parts, TimeResource::launch));
    const double delays = waits.number * waits.delay * LoadedMemory::growth(use) * waits.missed;
    if (delays <= 0) return;
    time.parts.push_back({TimeResource::busy, delays, "memory stalls * their delay at this load"});
    std::ranges::sort(time.parts, {}, &TimePart::resource);
}

// Scales the instructions and their issue cycles, but not the stalls, which follow from accesses.
void scale(Executions& executed, double factor) {
    for (auto* amounts : {&executed.instructions, &executed.most})
        for (auto& [name, amount] : *amounts)
            if (name == text_counts::cycles || !text_counts::is_of_schedule(name)) amount *= factor;
}

std::vector<std::string> doubts_about(const KernelWork& work) {
    std::vector<std::string> doubts;
    const AccessCounts& counts = work.counts.counts;
    if (!work.distinct_known) doubts.emplace_back("its counts are estimated from a sample");
    if (counts.global_atomic.requests > 0)
        doubts.emplace_back("colliding atomic additions are serialized");
    if (work.spread.of_launch > unequal_warps)
        doubts.emplace_back("its warps have unequal amounts of work");
    if (counts.global_store.sectors >= 2 * work.counts.writes.block_sectors &&
        work.counts.writes.block_sectors > 0)
        doubts.emplace_back("its stores write partial sectors");
    if (work.code.local_bytes.value_or(0) > 0)
        doubts.emplace_back("the traffic of its spilled registers was not counted");
    return doubts;
}

}  // namespace

std::string_view name(TimeResource resource) {
    constexpr std::array<std::string_view, time_resources> names{
        "DRAM",        "L2",         "L1 and shared memory", "texture",
        "issue",       "arithmetic", "starts of warps",      "latency",
        "busy memory", "launch"};
    return names[static_cast<std::size_t>(resource)];
}

std::string_view label(TimeResource resource) {
    if (resource == TimeResource::starts) return "warp launch rate";
    if (resource == TimeResource::busy) return "loaded latency";
    return name(resource);
}

const TimePart& PredictedTime::binding() const {
    return *std::ranges::max_element(parts, {}, &TimePart::seconds);
}

double seconds_of(const std::vector<TimePart>& parts, TimeResource resource) {
    const auto part = std::ranges::find(parts, resource, &TimePart::resource);
    return part == parts.end() ? 0 : part->seconds;
}

double warps_per_block(const KernelWork& work) {
    return std::ceil(static_cast<double>(work.threads_per_block) / warp_lanes);
}

PredictedTime kernel_time(const KernelWork& work, const Machine& machine) {
    if (machine.early) return early_kernel_time(work, *machine.early);
    const ModelSettings& settings = machine.settings;
    Executions executed = executions(work.counts, work.blocks * warps_per_block(work), work.code,
                                     settings.uses(Term::copies) ? work.copies : 1, settings);
    if (settings.executed_factor != 1) scale(executed, settings.executed_factor);
    const LaunchParts launch = launch_parts(work, machine, executed);
    PredictedTime time;
    time.parts = launch.parts;
    // The busiest warp of a launch may take longer than all waves.
    const double waited_for =
        settings.uses(Term::unequal_warps) ? work.spread.of_launch / work.spread.of_block : 1;
    const double fillings = waited_for > launch.fillings ? 1 : launch.fillings;
    // Warps of a block that take work items dynamically from a counter in shared memory.
    const bool share_work = settings.uses(Term::shared_work) && executed.go_apart() &&
                            work.counts.counts.shared_atomic.instructions > 0;
    const double early = share_work                         ? shared_overlap
                         : settings.uses(Term::early_waves) ? early_overlap
                                                            : usual_overlap;
    time.seconds = combined(launch, early, fillings, settings);
    add_delays(time, launch.waits);
    time.doubts = doubts_about(work);
    if (work.counts.cluster_barriers > 0 && !machine.knows_clusters)
        time.doubts.emplace_back("cluster barriers are assumed to be as on an H100");
    time.doubts.insert(time.doubts.end(), machine.doubts.begin(), machine.doubts.end());
    set_interval(time);
    return time;
}

PredictedTime scaled(PredictedTime time, double number) {
    time.seconds *= number;
    time.low *= number;
    time.high *= number;
    for (TimePart& part : time.parts) part.seconds *= number;
    return time;
}

PredictedTime sum(const std::vector<PredictedTime>& times, const Machine& machine,
                  double launches) {
    PredictedTime total;
    for (const PredictedTime& time : times) {
        total.seconds += time.seconds;
        total.low += time.low;
        total.high += time.high;
        for (const std::string& doubt : time.doubts)
            if (std::ranges::find(total.doubts, doubt) == total.doubts.end())
                total.doubts.push_back(doubt);
        for (const TimePart& part : time.parts) {
            const auto same = std::ranges::find(total.parts, part.resource, &TimePart::resource);
            if (same == total.parts.end())
                total.parts.push_back(part);
            else
                same->seconds += part.seconds;
        }
    }
    std::ranges::sort(total.parts, {}, &TimePart::resource);
    const double submitting = machine.settings.uses(Term::submission) * machine.launch * launches;
    if (submitting > total.seconds) {
        const auto launch =
            std::ranges::find(total.parts, TimeResource::launch, &TimePart::resource);
        *launch = {TimeResource::launch, submitting, "launches * submission time on the host"};
        total.seconds = submitting;
    }
    if (machine.early == nullptr) set_interval(total);
    return total;
}

PredictedTime library_time(const LibraryWork& work, const Machine& machine) {
    PredictedTime time;
    if (work.kernels == 0) return time;
    const double bytes = work.read_bytes + work.written_bytes;
    if (bytes > 0) {
        const double each = bytes / work.kernels;
        time.parts.push_back({TimeResource::dram,
                              bytes / machine.memory_rate(each, work.written_bytes / bytes),
                              "bytes of libraries / bandwidth at that working set"});
    }
    // The latencies of a kernel's first and last blocks are not hidden.
    time.parts.push_back({TimeResource::launch,
                          work.kernels * (machine.stream_gap + 2 * machine.l2_latency),
                          "start and end of kernels, and stalls of their blocks"});
    for (const TimePart& part : time.parts) time.seconds += part.seconds;
    time.doubts.emplace_back("only the bytes of a library's kernels are known");
    set_interval(time);
    return time;
}

}  // namespace camber
