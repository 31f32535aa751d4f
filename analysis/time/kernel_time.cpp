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

constexpr double lanes = 32;

// Overlap exponent for warps that share work dynamically and end together: two warps queue for a
// pipe at random, and their dependency chain takes three quarters of its time (mean value analysis:
// Reiser and Lavenberg 1980, "Mean-Value Analysis of Closed Multichain Queuing Networks").
constexpr double shared_overlap = 3.7;

constexpr double unequal_warps = 1.5;  // loads of the busiest warp over the average

// Combined time of a fraction of a launch's work, with a dependency chain `chains` times that of
// the parts.
class Overlap {
  public:
    Overlap(const std::vector<TimePart>& parts, const LaunchParts::MemoryWaits& waits, double share,
            double chains, double exponent)
        : waits_(waits), chains_(chains), exponent_(exponent) {
        for (const TimePart& part : parts)
            seconds_[static_cast<std::size_t>(part.resource)] =
                part.seconds * (part.resource == TimeResource::latency ? chains : share);
    }

    double seconds() const {
        const double moved = norm({std::max(of(TimeResource::dram), of(TimeResource::l2)),
                                   others(of(TimeResource::latency))},
                                  exponent_);
        if (waits_.number <= 0 || of(TimeResource::dram) <= 0) return moved;
        return moved + waits_.missed * std::max(0.0, under_load() - moved);
    }

  private:
    double of(TimeResource resource) const { return seconds_[static_cast<std::size_t>(resource)]; }

    // Issue slots and pipes are two views of the same instructions, DRAM and L2 of the same bytes,
    // warp starts and dependency chains of the same residency: only the larger one of each pair
    // counts.
    double others(double latency) const {
        return norm({of(TimeResource::l1), of(TimeResource::texture),
                     std::max(of(TimeResource::issue), of(TimeResource::pipes)),
                     std::max(latency, of(TimeResource::starts))},
                    exponent_);
    }

    // Self-consistent time: stalls have the latency that results from the memory utilization at
    // that time. Solved by bisection; at the lower end of the interval the latency is infinite.
    double under_load() const {
        const double memory = of(TimeResource::dram);
        const auto longer = [&](double time) {
            const double delays =
                waits_.number * chains_ * waits_.delay * LoadedMemory::growth(memory / time);
            return others(of(TimeResource::latency) + delays);
        };
        double low = memory;
        double high = memory + longer(memory);
        constexpr int halvings = 50;
        for (int i = 0; i < halvings; ++i) {
            const double middle = (low + high) / 2;
            (longer(middle) > middle ? low : high) = middle;
        }
        return high;
    }

    std::array<double, time_resources> seconds_{};
    LaunchParts::MemoryWaits waits_;
    double chains_;
    double exponent_;
};

// The last wave has fewer blocks, whose stalls are as long as those of other waves.
double combined(const std::vector<TimePart>& parts, double early_exponent,
                const LaunchParts::MemoryWaits& waits, double fillings,
                const ModelSettings& settings) {
    const auto launch = std::ranges::find(parts, TimeResource::launch, &TimePart::resource);
    const auto seconds = [&](double number, double chains, double exponent) {
        if (number <= 0) return 0.0;
        return Overlap(parts, waits, number / fillings, chains, exponent).seconds();
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
    return moved + (launch == parts.end() ? 0 : launch->seconds);
}

// Adds the part for loaded latency to the predicted time.
void add_delays(PredictedTime& time, const LaunchParts::MemoryWaits& waits) {
    const auto of = [&](TimeResource resource) {
        const auto part = std::ranges::find(time.parts, resource, &TimePart::resource);
        return part == time.parts.end() ? 0 : part->seconds;
    };
    const double memory = of(TimeResource::dram);
    if (memory <= 0 || waits.number <= 0) return;
    const double use = memory / (time.seconds - of(TimeResource::launch));
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

// True if warps of a block take work items dynamically from a counter in shared memory.
bool share_their_work(const KernelWork& work, const Executions& executed) {
    return work.counts.counts.shared_atomic.instructions > 0 && executed.go_apart();
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
    switch (resource) {
        case TimeResource::dram:
            return "DRAM";
        case TimeResource::l2:
            return "L2";
        case TimeResource::l1:
            return "L1 and shared memory";
        case TimeResource::texture:
            return "texture";
        case TimeResource::issue:
            return "issue";
        case TimeResource::pipes:
            return "arithmetic";
        case TimeResource::starts:
            return "starts of warps";
        case TimeResource::latency:
            return "latency";
        case TimeResource::busy:
            return "busy memory";
        case TimeResource::launch:
            break;
    }
    return "launch";
}

std::string_view label(TimeResource resource) {
    if (resource == TimeResource::starts) return "warp launch rate";
    if (resource == TimeResource::busy) return "loaded latency";
    return name(resource);
}

const TimePart& PredictedTime::binding() const {
    return *std::ranges::max_element(parts, {}, &TimePart::seconds);
}

PredictedTime kernel_time(const KernelWork& work, const Machine& machine) {
    if (machine.early) return early_kernel_time(work, *machine.early);
    const double warps = work.blocks * std::ceil(work.threads_per_block / lanes);
    const ModelSettings& settings = machine.settings;
    Executions executed = executions(work.counts, warps, work.code,
                                     settings.uses(Term::copies) ? work.copies : 1, settings);
    if (settings.executed_factor != 1) scale(executed, settings.executed_factor);
    const LaunchParts parts(work, machine, executed);
    PredictedTime time;
    time.parts = parts.all();
    // The busiest warp of a launch may take longer than all waves.
    const double waited_for =
        settings.uses(Term::unequal_warps) ? work.spread.of_launch / work.spread.of_block : 1;
    const double fillings = waited_for > parts.fillings() ? 1 : parts.fillings();
    const LaunchParts::MemoryWaits waits = parts.memory_waits();
    const double early = settings.uses(Term::shared_work) && share_their_work(work, executed)
                             ? shared_overlap
                         : settings.uses(Term::early_waves) ? early_overlap
                                                            : usual_overlap;
    time.seconds = combined(time.parts, early, waits, fillings, settings);
    add_delays(time, waits);
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
