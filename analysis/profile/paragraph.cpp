#include "analysis/profile/paragraph.hpp"

#include <algorithm>

#include "analysis/profile/wording.hpp"
#include "harness/base/number_text.hpp"

namespace camber::profile {

namespace {

std::string rate_of(const Utilisation& use, double rate) {
    if (unit(use.resource) == "bytes") return decimal(rate * 1e-9, 0) + " GB/s";
    return quantity(rate) + " " + std::string(unit(use.resource)) + "/s";
}

// "L2 at 45.0 % of the ceiling (5400 GB/s of 12000 GB/s)"
std::string share_of(const Utilisation& use) {
    const bool least = use.resource == Resource::dram && use.estimate;
    return std::string(name(use.resource)) + (use.estimate && !least ? ", by estimate," : "") +
           " at " + percent(use.share()) + " of the ceiling" +
           (least ? " by the bytes that must move alone" : "") + " (" + rate_of(use, use.rate) +
           " of " + rate_of(use, use.ceiling) + ")";
}

// What the counters say about why the resource is busy; "" where they say nothing.
std::string cause(const Diagnosis& diagnosis, Resource resource) {
    const Ratios& ratio = diagnosis.ratios;
    const Amounts& of = diagnosis.amounts;
    switch (resource) {
        case Resource::dram:
            if (!ratio.dram_over_application) return "";
            return "DRAM moves " + decimal(*ratio.dram_over_application, 2) +
                   " times the bytes that the cells of as many generations need" +
                   (*ratio.dram_over_application > 1.2
                        ? ": the surplus is what caches could save."
                        : ", so only fewer passes over the board or smaller cells can gain much.");
        case Resource::l2:
            if (!ratio.l1_hits || !ratio.l2_hits) return "";
            return "L1 answers " + percent(*ratio.l1_hits) + " of the sectors asked of it, L2 " +
                   percent(*ratio.l2_hits) + ": more hits in L1 would relieve L2.";
        case Resource::l1:
            if (!ratio.load_sectors_per_request) return "";
            return "A load request of a warp takes " + decimal(*ratio.load_sectors_per_request, 2) +
                   " sectors of 32 bytes" +
                   (ratio.load_sector_use
                        ? ", of which lanes ask for " + percent(*ratio.load_sector_use)
                        : std::string()) +
                   "; fewer or wider loads per cell would relieve it.";
        case Resource::shared:
            if (!ratio.conflict_share) return "";
            return "Bank conflicts cause " + percent(*ratio.conflict_share) + " of the " +
                   quantity(of.shared_wavefronts.value_or(0)) +
                   " wavefronts of shared memory per launch.";
        case Resource::issue:
        case Resource::alu: {
            if (!ratio.instructions_per_cell) return "";
            std::string text = "A cell costs " + decimal(*ratio.instructions_per_cell, 1) +
                               " instructions per generation";
            if (ratio.threads_per_instruction)
                text += ", with " + decimal(*ratio.threads_per_instruction, 1) +
                        " of 32 threads at work in each";
            return text + "; fewer instructions per cell are the way to gain.";
        }
        case Resource::fp32:
        case Resource::fp64:
            return "The arithmetic itself is the work; memory techniques cannot shorten it.";
    }
    return "";
}

std::string occupancy(const Facts& facts, const Ratios& ratio) {
    if (!ratio.achieved_occupancy) return "";
    std::string text = "Occupancy is " + percent(*ratio.achieved_occupancy);
    if (facts.kernel && facts.kernel->occupancy)
        text += ", of " + percent(*facts.kernel->occupancy) + " in theory";
    return text + ".";
}

// What keeps warps from being resident.
std::string warp_shortage(const Facts& facts) {
    if (!facts.kernel || !facts.kernel->occupancy) return "";
    const results::Kernel& kernel = *facts.kernel;
    if (*kernel.occupancy >= low_occupancy)
        return "The launch allows more, so warps end early or blocks are too few: " +
               std::to_string(kernel.blocks()) + " blocks on " +
               std::to_string(facts.gpu.sm_count) + " SMs.";
    return "Registers (" + std::to_string(kernel.registers.value_or(0)) +
           " per thread) and shared "
           "memory (" +
           std::to_string(kernel.static_shared_bytes.value_or(0) +
                          kernel.dynamic_shared_bytes.value_or(0)) +
           " bytes per block of " + std::to_string(kernel.threads_per_block()) +
           " threads) set how many warps fit.";
}

std::string spills(const Diagnosis& diagnosis) {
    const auto& count = diagnosis.amounts.spill_instructions;
    if (count.value_or(0) <= 0) return "";
    return "It also executes " + quantity(*count) +
           " loads and stores of local memory per launch: registers spill.";
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
        say("No resource reaches 60 %; the nearest: " + share_of(list[0]) +
            (list.size() > 1 ? ", then " + share_of(list[1]) : std::string()) + ".");
    };
    const auto launch = [&] {
        return duration(facts.seconds_per_launch() * 1e9) +
               (facts.ceilings.launch_seconds
                    ? ", " +
                          decimal(facts.seconds_per_launch() / *facts.ceilings.launch_seconds, 1) +
                          " times an empty one (" + duration(*facts.ceilings.launch_seconds * 1e9) +
                          ")"
                    : std::string());
    };
    switch (diagnosis.limit) {
        case Limit::resource:
            say("Limited by " + share_of(list[0]) + ".");
            say(cause(diagnosis, list[0].resource));
            say_next(1);
            break;
        case Limit::launch:
            say("Limited by launching: one launch takes " + launch() + ".");
            say_nearest();
            say("Larger boards, more generations per launch or a graph of launches would show the "
                "kernel itself.");
            break;
        case Limit::occupancy:
            say("Limited by latency, with too few warps to hide it.");
            say(occupancy(facts, diagnosis.ratios));
            say(warp_shortage(facts));
            say_nearest();
            break;
        case Limit::latency:
            say("Limited by latency: warps wait for memory, for barriers or for earlier results.");
            say_nearest();
            say(occupancy(facts, diagnosis.ratios));
            if (diagnosis.resource) say(cause(diagnosis, *diagnosis.resource));
            break;
        case Limit::unknown:
            if (diagnosis.of_another_stage) {
                say("What limits this kernel is not known: its counters are of a launch that did "
                    "more than those that were timed.");
                say("They would make " + share_of(list[0]) + ", which no device gives.");
                break;
            }
            say("What limits this kernel is not known: the counters that would tell were not "
                "read.");
            if (!list.empty())
                say("Known is " + share_of(list[0]) + ", below the 60 % that count.");
            say("One launch takes " + launch() + ".");
            break;
    }
    say(spills(diagnosis));
    return text;
}

}  // namespace camber::profile
