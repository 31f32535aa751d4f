#include "analysis/time/kernel_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "analysis/time/early_kernel_time.hpp"
#include "analysis/time/executed.hpp"

namespace camber {
namespace {

constexpr double lanes = 32;

constexpr double usual_overlap = 3;
constexpr double good_overlap = 6;
constexpr double bad_overlap = 1.7;
constexpr double no_overlap = 1;

// Waves beyond which the last one, only partly filled, no longer matters.
constexpr double many_waves = 4;

constexpr double wide_interval = 2.5;  // high / low

// A kernel of the ceilings reaches 126 of 128 bytes a cycle, and 3.92 of 4 texels: a rate may be
// exceeded by so much. On an H200 the variants of Life that wait for one resource almost alone
// reach 0.86 (texture_2d) to 0.98 (row_stream) of its rate.
constexpr double most_of_a_rate = 1.02;
constexpr double least_of_a_rate = 0.9;

// L1 and shared memory of a multiprocessor of 9.0 (CUDA C++ Programming Guide, technical
// specifications per compute capability).
constexpr double l1_capacity = 256 * 1024;

// What cannot be known of a launch, at one end of its interval or the other.
enum class End : std::uint8_t { low, usual, high };

double as_double(std::int64_t count) {
    return static_cast<double>(count);
}

// A launch on a machine, by resource.
class Estimate {
  public:
    Estimate(const KernelWork& work, const Machine& machine, const Executions& executed)
        : work_(work),
          machine_(machine),
          executed_(executed),
          counts_(work.counts.counts),
          warps_per_block_(std::ceil(work.threads_per_block / lanes)),
          warps_(work.blocks * warps_per_block_),
          busy_(machine.busy_share(work.blocks)) {}

    // `executions`: times that an instruction of the text is executed, on average.
    std::vector<TimePart> parts(double executions, End end = End::usual) const {
        std::vector<TimePart> all{
            memory(end),       l2(end),           l1(),     texture(),
            issue(executions), pipes(executions), starts(), latency(executions, end),
            launch()};
        std::erase_if(all, [](const TimePart& part) { return part.seconds <= 0; });
        return all;
    }

    // Of all places for blocks.
    double fillings() const { return work_.blocks / machine_.sm_count / places(); }

  private:
    bool stays_in_l2() const {
        return work_.distinct_known &&
               as_double(work_.counts.distinct_sectors) * sector_bytes <= machine_.l2_bytes;
    }

    double places() const {
        return std::max(1.0, std::round(work_.code.occupancy.value_or(1) * machine_.warps_per_sm /
                                        warps_per_block_));
    }

    // Blocks that go down their rows in step read the rows that they share with a neighbour at
    // different times: one at the start and one at the end. In between a filling of all places
    // moves more than stays in L2.
    bool shared_rows_leave_l2() const {
        if (rounds() <= 1 || counts_.shared_store.instructions > 0) return false;
        return as_double(work_.counts.distinct_sectors) * sector_bytes / std::max(1.0, fillings()) >
               machine_.l2_bytes / 2;
    }

    // Of the bytes that blocks read more than once, the share that has left a cache by then: those
    // at work hold so many bytes, and what is read again was read anywhere between the last and all
    // of them ago. At the ends it is always the last, or always the first.
    double left_share(double capacity, double blocks_at_work, End end) const {
        if (rounds() <= 1 || counts_.shared_store.instructions > 0 || end == End::low ||
            work_.blocks == 0)
            return 0;
        const double held = as_double(work_.counts.reads.block_sectors) * sector_bytes /
                            work_.blocks * blocks_at_work;
        if (held <= capacity) return 0;
        return end == End::high ? 1 : 1 - capacity / held;
    }
    // Of sectors. A warp's loads that overlap those of the warp's lanes beside count once.
    double read_again() const {
        const auto& loads = counts_.global_load;
        return std::max(0.0, std::min(as_double(loads.sectors),
                                      as_double(loads.requested_bytes) / sector_bytes) -
                                 as_double(work_.counts.reads.block_sectors));
    }

    TimePart memory(End end) const {
        const LaunchModel& model = work_.counts;
        const double at_work = std::min(work_.blocks, machine_.sm_count * places());
        const double read =
            as_double(work_.distinct_known && !shared_rows_leave_l2() ? model.reads.grid_sectors
                                                                      : model.reads.block_sectors) +
            read_again() * left_share(machine_.l2_bytes, at_work, end);
        const double written = as_double(work_.distinct_known ? model.writes.grid_sectors
                                                              : model.writes.block_sectors);
        const double sectors = read + written;
        if (sectors == 0) return {};
        const double set = work_.distinct_known ? as_double(model.distinct_sectors) : sectors;
        const double rate = machine_.memory_rate(set * sector_bytes, written / sectors);
        return {TimeResource::dram, sectors * sector_bytes / rate,
                work_.distinct_known
                    ? "distinct bytes of the launch / bandwidth at that working set"
                    : "distinct bytes of each block / bandwidth at that working set"};
    }

    TimePart l2(End end) const {
        const double reads =
            (as_double(work_.counts.reads.block_sectors) +
             read_again() * left_share(l1_capacity, std::min(work_.blocks, places()), end)) *
            sector_bytes / machine_.l2_reads_per_second;
        const double writes =
            as_double(counts_.global_store.sectors + counts_.global_atomic.sectors) * sector_bytes /
            machine_.l2_writes_per_second;
        return {TimeResource::l2, std::max(reads, writes),
                reads >= writes ? "distinct bytes of each block / L2's reads"
                                : "bytes stored in whole sectors / L2's writes"};
    }

    TimePart l1() const {
        const auto& c = counts_;
        const double requests = as_double(c.global_load.requests + c.global_store.requests +
                                          c.local_load.requests + c.local_store.requests);
        // The rate of requests was measured with loads of one pass each: it includes the first.
        const double more_passes =
            std::max(0.0, as_double(c.global_load.bank_passes) - as_double(c.global_load.requests));
        // What comes from L2 is written into the same banks.
        const double filled = as_double(work_.counts.reads.block_sectors) * sector_bytes;
        const double data = requests / machine_.l1_requests_per_second +
                            (more_passes * line_bytes + filled) / machine_.l1_bytes_per_second;
        const double shared =
            as_double(c.shared_load.passes + c.shared_store.passes + c.shared_atomic.passes) /
            machine_.shared_passes_per_second;
        return {TimeResource::l1, (shared + data) / busy_,
                shared > data
                    ? "passes over the banks / rate of shared memory"
                    : "requests, their passes over the banks, and what fills these / rates of L1"};
    }

    TimePart texture() const {
        const double texels = as_double(counts_.texture_load.instructions) * lanes;
        return {TimeResource::texture,
                texels /
                    (work_.linear_textures ? machine_.linear_texels_per_second
                                           : machine_.texels_per_second) /
                    busy_,
                "texels / rate of the texture units"};
    }

    // Of a warp, in these classes.
    double instructions_of(std::initializer_list<const char*> classes, double executions) const {
        double sum = 0;
        for (const char* name : classes)
            if (const auto found = executed_.instructions.find(name);
                found != executed_.instructions.end())
                sum += found->second;
        return executed_.usual > 0 ? sum * executions / executed_.usual : 0;
    }

    TimePart issue(double executions) const {
        return {
            TimeResource::issue,
            warps_ * instructions_of({"total"}, executions) / machine_.issues_per_second / busy_,
            "instructions of warps / slots of the schedulers"};
    }

    TimePart pipes(double executions) const {
        struct Pipe {
            const char* basis;
            double instructions;
            double rate;
        };
        const auto count = [&](std::initializer_list<const char*> classes) {
            return warps_ * instructions_of(classes, executions);
        };
        const std::array pipes{
            Pipe{"FP32 instructions / rate of the pipe", count({"fp32"}),
                 machine_.fp32_warps_per_second},
            Pipe{"FP64 instructions / rate of the pipe", count({"fp64"}),
                 machine_.fp64_warps_per_second},
            Pipe{"integer, logic and comparing instructions / rate of the ALU",
                 count({"integer", "logic", "shifts", "predicates"}),
                 machine_.alu_warps_per_second},
            Pipe{"integer multiply-adds / rate of the pipe", count({"integer_multiply"}),
                 machine_.multiply_warps_per_second}};
        const auto& most = *std::ranges::max_element(
            pipes, {}, [](const Pipe& pipe) { return pipe.instructions / pipe.rate; });
        return {TimeResource::pipes, most.instructions / most.rate / busy_, most.basis};
    }

    TimePart starts() const {
        return {TimeResource::starts, warps_ / machine_.warp_starts_per_second / busy_,
                "warps / rate at which multiprocessors start them"};
    }

    // Accesses past L1 of which each waits for the one before.
    double rounds() const {
        if (counts_.shared_store.instructions > 0)
            return as_double(counts_.global_load.requests) / warps_;
        return executed_.rounds;
    }

    // What a block takes before its first warp computes. A multiprocessor starts the warps of a
    // block one after another.
    double beginning() const {
        return warps_per_block_ * machine_.sm_count / machine_.warp_starts_per_second +
               (stays_in_l2() ? machine_.l2_latency : machine_.dram_latency) +
               (counts_.shared_load.instructions > 0 ? machine_.shared_latency : 0);
    }

    // Of them, those that bring what the block has not read before: the others find it in L1.
    double rounds_past_l1() const {
        const auto& loads = counts_.global_load;
        if (loads.sectors == 0 || warps_ == 0 || counts_.shared_store.instructions > 0)
            return rounds();
        const double brought = as_double(work_.counts.reads.block_sectors) / warps_ *
                               as_double(loads.requests) / as_double(loads.sectors);
        return std::min(rounds(), std::max(1.0, brought));
    }

    // At best no instruction waits for the one before, and a warp issues one a cycle.
    double chain(double executions, End end) const {
        const double each = end == End::low ? 1 / machine_.clock_hz : machine_.arithmetic_latency;
        return beginning() + std::max(0.0, rounds_past_l1() - 1) * machine_.l2_latency +
               each * instructions_of({"total"}, executions);
    }

    TimePart latency(double executions, End end) const {
        const double per_sm = work_.blocks / machine_.sm_count;
        const double waves = per_sm / places() < many_waves
                                 ? std::ceil(std::ceil(per_sm) / places())
                                 : per_sm / places();
        return {TimeResource::latency, chain(executions, end) * waves,
                fmt::format("chain of a block * {:.0f} fillings of {:.0f} places per SM",
                            std::ceil(waves), places())};
    }

    TimePart launch() const {
        return {TimeResource::launch, machine_.graph_node + 2 * beginning(),
                "a node of a graph, and twice what a block takes to begin"};
    }

    const KernelWork& work_;
    const Machine& machine_;
    const Executions& executed_;
    const AccessCounts& counts_;
    double warps_per_block_;
    double warps_;
    double busy_;  // share of the multiprocessors that have a block
};

// 1: times one after another; more: they overlap.
double norm(std::initializer_list<double> times, double exponent) {
    double total = 0;
    for (const double time : times) total += std::pow(time, exponent);
    return std::pow(total, 1 / exponent);
}

// Issue slots and pipes are two views of the same instructions, as the memory and L2 are of the
// same bytes: of each pair only the larger takes part.
double combined(const std::vector<TimePart>& parts, double exponent) {
    std::array<double, 9> seconds{};
    for (const TimePart& part : parts)
        seconds[static_cast<std::size_t>(part.resource)] = part.seconds;
    const auto of = [&](TimeResource resource) {
        return seconds[static_cast<std::size_t>(resource)];
    };
    return norm({std::max(of(TimeResource::dram), of(TimeResource::l2)), of(TimeResource::l1),
                 of(TimeResource::starts), of(TimeResource::texture),
                 std::max(of(TimeResource::issue), of(TimeResource::pipes)),
                 of(TimeResource::latency)},
                exponent) +
           of(TimeResource::launch);
}

// `by_text`: the most that the time may be because more of the text is executed, over the least.
std::vector<std::string> doubts_about(const KernelWork& work, double by_text) {
    std::vector<std::string> doubts;
    const AccessCounts& counts = work.counts.counts;
    if (!work.distinct_known) doubts.emplace_back("its counts are a sample's");
    if (counts.global_atomic.requests > 0)
        doubts.emplace_back("atomic additions that meet wait for each other");
    if (counts.global_store.sectors >= 2 * work.counts.writes.block_sectors &&
        work.counts.writes.block_sectors > 0)
        doubts.emplace_back("its stores write sectors in pieces");
    if (work.code.local_bytes.value_or(0) > 0)
        doubts.emplace_back("its spilled registers' traffic was not counted");
    if (by_text > wide_interval)
        doubts.emplace_back(
            "little tells how much of its text is executed, and what waits for what");
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
        case TimeResource::launch:
            break;
    }
    return "launch";
}

const TimePart& PredictedTime::binding() const {
    return *std::ranges::max_element(parts, {}, &TimePart::seconds);
}

PredictedTime kernel_time(const KernelWork& work, const Machine& machine) {
    if (machine.early) return early_kernel_time(work, *machine.early);
    const double warps = work.blocks * std::ceil(work.threads_per_block / lanes);
    const Executions executed = executions(work.counts, warps, work.code, work.copies);
    const Estimate estimate(work, machine, executed);
    PredictedTime time;
    time.parts = estimate.parts(executed.usual);
    time.seconds = combined(time.parts, usual_overlap);
    time.low = combined(estimate.parts(executed.low, End::low), good_overlap);
    const std::vector<TimePart> most = estimate.parts(executed.high, End::high);
    time.high = combined(most, bad_overlap);
    time.doubts = doubts_about(work, time.high / time.low);
    // The blocks of the first fillings do the same at the same time.
    if (estimate.fillings() < many_waves) time.high = combined(most, no_overlap);
    time.low /= most_of_a_rate;
    time.high /= least_of_a_rate;
    return time;
}

PredictedTime sum(const std::vector<PredictedTime>& times, const Machine& machine) {
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
    const double submitting = machine.launch * static_cast<double>(times.size());
    if (submitting > total.seconds) {
        const auto launch =
            std::ranges::find(total.parts, TimeResource::launch, &TimePart::resource);
        *launch = {TimeResource::launch, submitting,
                   "launches * what the host takes to submit one"};
        total.seconds = submitting;
        total.high = std::max(total.high, submitting);
    }
    return total;
}

}  // namespace camber
