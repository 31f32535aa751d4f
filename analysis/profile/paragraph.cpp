#include "analysis/profile/paragraph.hpp"

#include <algorithm>

#include "analysis/profile/wording.hpp"
#include "harness/base/text.hpp"

namespace camber::profile {

namespace {

std::string rate_of(const Utilisation& use, double rate) {
    if (unit(use.resource) == "bytes") return decimal(rate * 1e-9, 0) + " GB/s";
    return quantity(rate) + " " + std::string(unit(use.resource)) + "/s";
}

// "L2 at 45.0 % of the ceiling (5400 GB/s of 12000 GB/s)"
std::string share_of(const Utilisation& use) {
    const bool least = use.resource == Resource::dram && use.estimate;
    return std::string(name(use.resource)) + (use.estimate && !least ? " (estimate)" : "") +
           " at " + percent(use.share()) + " of the ceiling" +
           (least ? ", counting only the bytes that must move" : "") + " (" +
           rate_of(use, use.rate) + " of " + rate_of(use, use.ceiling) + ")";
}

// Explanation of the resource's load by the counters; "" if they do not explain it.
std::string cause(const Diagnosis& diagnosis, Resource resource) {
    const Ratios& ratio = diagnosis.ratios;
    const Amounts& of = diagnosis.amounts;
    switch (resource) {
        case Resource::dram:
            if (!ratio.dram_over_application) return "";
            return "DRAM moves " + decimal(*ratio.dram_over_application, 2) +
                   " times the bytes needed (each cell read once and written once per generation)" +
                   (*ratio.dram_over_application > 1.2
                        ? ": better caching could save the surplus."
                        : ": only fewer passes over the board or smaller cells can save much.");
        case Resource::l2:
            if (!ratio.l1_hits || !ratio.l2_hits) return "";
            return "The hit rate is " + percent(*ratio.l1_hits) + " in L1 and " +
                   percent(*ratio.l2_hits) + " in L2: more L1 hits would reduce the load on L2.";
        case Resource::l1:
            if (!ratio.load_sectors_per_request) return "";
            return "A load request takes " + decimal(*ratio.load_sectors_per_request, 2) +
                   " sectors of 32 bytes" +
                   (ratio.load_sector_use
                        ? ", of which " + percent(*ratio.load_sector_use) + " is used"
                        : std::string()) +
                   "; fewer or wider loads per cell would reduce the load on L1.";
        case Resource::shared:
            if (!ratio.conflict_share) return "";
            return "Bank conflicts cause " + percent(*ratio.conflict_share) + " of the " +
                   quantity(of.shared_wavefronts.value_or(0)) +
                   " shared-memory wavefronts per launch.";
        case Resource::issue:
        case Resource::alu: {
            if (!ratio.instructions_per_cell) return "";
            std::string text = "A cell costs " + decimal(*ratio.instructions_per_cell, 1) +
                               " instructions per generation";
            if (ratio.threads_per_instruction)
                text += ", with " + decimal(*ratio.threads_per_instruction, 1) +
                        " of 32 threads active";
            return text + ": fewer instructions per cell would make it faster.";
        }
        case Resource::fp32:
        case Resource::fp64:
            return "The kernel is bound by arithmetic; memory techniques cannot make it faster.";
    }
    return "";
}

std::string occupancy(const Facts& facts, const Ratios& ratio) {
    if (!ratio.achieved_occupancy) return "";
    std::string text = "Occupancy is " + percent(*ratio.achieved_occupancy);
    if (facts.kernel && facts.kernel->occupancy)
        text += " (theoretical: " + percent(*facts.kernel->occupancy) + ")";
    return text + ".";
}

// Reason for the low number of resident warps.
std::string warp_shortage(const Facts& facts) {
    if (!facts.kernel || !facts.kernel->occupancy) return "";
    const results::Kernel& kernel = *facts.kernel;
    if (*kernel.occupancy >= low_occupancy)
        return "The theoretical occupancy is higher, so warps end early or there are too few "
               "blocks: " +
               std::to_string(kernel.blocks()) + " blocks on " +
               std::to_string(facts.gpu.sm_count) + " SMs.";
    return "Registers (" + std::to_string(kernel.registers.value_or(0)) +
           " per thread) and shared "
           "memory (" +
           std::to_string(kernel.static_shared_bytes.value_or(0) +
                          kernel.dynamic_shared_bytes.value_or(0)) +
           " bytes per block of " + std::to_string(kernel.threads_per_block()) +
           " threads) limit the number of resident warps.";
}

std::string spills(const Diagnosis& diagnosis) {
    const auto& count = diagnosis.amounts.spill_instructions;
    if (count.value_or(0) <= 0) return "";
    return "Registers spill: each launch executes " + quantity(*count) +
           " loads and stores of local memory.";
}

}  // namespace

std::string paragraph(const Facts& facts, const Diagnosis& diagnosis) {
    const auto& list = diagnosis.utilisations;
    std::string text;
    const auto say = [&](const std::string& sentence) {
        if (sentence.empty()) return;
        if (!text.empty()) text += " ";
        text += sentence;
    };
    const auto say_next = [&](std::size_t index) {
        if (list.size() > index) say("Next: " + share_of(list[index]) + ".");
    };
    const auto say_nearest = [&] {
        if (list.empty()) return;
        say("No resource reaches 60 %; the most used are " + share_of(list[0]) +
            (list.size() > 1 ? " and " + share_of(list[1]) : std::string()) + ".");
    };
    const auto launch = [&] {
        return duration(facts.seconds_per_launch() * 1e9) +
               (facts.ceilings.launch_seconds
                    ? ", " +
                          decimal(facts.seconds_per_launch() / *facts.ceilings.launch_seconds, 1) +
                          " times an empty launch (" +
                          duration(*facts.ceilings.launch_seconds * 1e9) + ")"
                    : std::string());
    };
    switch (diagnosis.limit) {
        case Limit::resource:
            say("Limited by " + share_of(list[0]) + ".");
            say(cause(diagnosis, list[0].resource));
            say_next(1);
            break;
        case Limit::launch:
            say("Limited by launch overhead: a launch takes " + launch() + ".");
            say_nearest();
            say("Use a larger board, more generations per launch or a CUDA graph to measure the "
                "kernel itself.");
            break;
        case Limit::occupancy:
            say("Limited by latency: too few warps to hide it.");
            say(occupancy(facts, diagnosis.ratios));
            say(warp_shortage(facts));
            say_nearest();
            break;
        case Limit::latency:
            say("Limited by latency: warps stall on memory, barriers or earlier results.");
            say_nearest();
            say(occupancy(facts, diagnosis.ratios));
            if (diagnosis.resource) say(cause(diagnosis, *diagnosis.resource));
            break;
        case Limit::unknown:
            if (diagnosis.of_another_stage) {
                say("The limit is unknown: the counters were read in a launch that did more work "
                    "than the timed launches.");
                say("They would imply " + share_of(list[0]) + ", which is impossible.");
                break;
            }
            say("The limit is unknown: the necessary counters were not read.");
            if (!list.empty())
                say("Available: " + share_of(list[0]) + ", below the threshold of 60 %.");
            say("A launch takes " + launch() + ".");
            break;
    }
    say(spills(diagnosis));
    return text;
}

}  // namespace camber::profile
