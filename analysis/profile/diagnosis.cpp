#include "analysis/profile/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "analysis/profile/figures.hpp"
#include "harness/base/text/text.hpp"

namespace camber::profile {

// Writes Diagnosis::paragraph; all other members must be set.
std::string paragraph(const Facts& facts, const Diagnosis& diagnosis);

namespace {

// DRAM utilization by the minimum bytes of a launch, if the fields exceed L2 so that these must
// come from DRAM.
std::optional<Utilisation> least_dram(const Facts& facts) {
    const auto copy = facts.ceilings.dram_copy();
    const auto l2_bytes = facts.gpu.l2_bytes;
    const double bytes = facts.application_bytes / facts.devices;
    if (!copy || !l2_bytes || bytes <= static_cast<double>(*l2_bytes)) return std::nullopt;
    return Utilisation{Resource::dram, bytes / facts.seconds_per_launch(), *copy, true};
}

bool is_counted(const Diagnosis& diagnosis) {
    const Amounts& of = diagnosis.amounts;
    return of.dram_bytes() && of.l2_bytes && of.warp_instructions;
}

void decide(const Facts& facts, Diagnosis& diagnosis) {
    const auto& list = diagnosis.utilisations;
    if (!list.empty()) diagnosis.resource = list.front().resource;
    diagnosis.of_another_stage = std::ranges::any_of(list, is_impossible);
    if (diagnosis.of_another_stage) {
        diagnosis.limit = Limit::unknown;
    } else if (!list.empty() && list.front().share() >= saturation) {
        diagnosis.limit = Limit::resource;
    } else if (facts.ceilings.launch_seconds &&
               facts.seconds_per_launch() < short_launches * *facts.ceilings.launch_seconds) {
        diagnosis.limit = Limit::launch;
    } else if (!is_counted(diagnosis)) {
        diagnosis.limit = Limit::unknown;
    } else if (diagnosis.ratios.achieved_occupancy.value_or(1) < low_occupancy) {
        diagnosis.limit = Limit::occupancy;
    } else {
        diagnosis.limit = Limit::latency;
    }
}

std::string verdict(const Diagnosis& diagnosis) {
    switch (diagnosis.limit) {
        case Limit::resource:
            return std::string(name(*diagnosis.resource));
        case Limit::launch:
            return "launches: too short";
        case Limit::occupancy:
            return "latency: too few warps";
        case Limit::latency:
            return "latency";
        case Limit::unknown:
            return diagnosis.of_another_stage ? "unknown: counters of a different launch"
                                              : "unknown without counters";
    }
    return "";
}

}  // namespace

std::string_view key(Limit limit) {
    switch (limit) {
        case Limit::resource:
            return "resource";
        case Limit::launch:
            return "launch";
        case Limit::occupancy:
            return "occupancy";
        case Limit::latency:
            return "latency";
        case Limit::unknown:
            return "unknown";
    }
    return "";
}

Diagnosis diagnose(const Facts& facts) {
    if (!(facts.time.median > 0 && facts.cells > 0 && facts.application_bytes > 0 &&
          facts.generations_per_launch > 0))
        throw std::invalid_argument("a diagnosis of " + facts.variant +
                                    " needs a time, cells, bytes and generations above 0");
    Diagnosis diagnosis;
    diagnosis.amounts = amounts(facts);
    diagnosis.ratios = ratios(facts);
    diagnosis.utilisations = utilisations(facts);
    if (!diagnosis.amounts.dram_bytes())
        if (const auto least = least_dram(facts)) {
            // Insertion sort: the list is short and usually empty.
            auto& list = diagnosis.utilisations;
            auto place = list.begin();
            while (place != list.end() && place->share() >= least->share()) ++place;
            list.insert(place, *least);
        }
    decide(facts, diagnosis);
    diagnosis.verdict = verdict(diagnosis);
    diagnosis.paragraph = paragraph(facts, diagnosis);
    return diagnosis;
}

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

// Explains the resource's utilization by counters; "" if they do not explain it.
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

// Reason for low occupancy.
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

namespace {

struct Cost {
    const char* what;
    std::optional<double> Amounts::*amount;
};

// Costs that a comparison names; the members of Amounts are per launch.
constexpr std::array<Cost, 6> costs{{
    {"bytes read from DRAM", &Amounts::dram_read_bytes},
    {"bytes written to DRAM", &Amounts::dram_write_bytes},
    {"bytes at L2", &Amounts::l2_bytes},
    {"sectors at L1", &Amounts::l1_sectors},
    {"wavefronts of shared memory", &Amounts::shared_wavefronts},
    {"warp instructions", &Amounts::warp_instructions},
}};

// Ratio of one cost of two cases, per generation.
struct Ratio {
    std::string what;
    double first = 0;
    double second = 0;

    double size() const { return first > 0 && second > 0 ? std::abs(std::log(first / second)) : 0; }
    std::string text() const {
        return what + ", " + quantity(first) + " against " + quantity(second) +
               " per generation (" + decimal(first / second, 2) + "x)";
    }
};

}  // namespace

std::string compare(const Facts& first, const Facts& second) {
    const double times = second.time.median / first.time.median;
    std::string text = first.variant + " takes " + duration(first.time.median * 1e9) + ", " +
                       second.variant + " " + duration(second.time.median * 1e9) + ": " +
                       (times >= 1 ? decimal(times, 2) + " times as fast."
                                   : decimal(1 / times, 2) + " times as slow.");
    const bool overlap = first.time.low <= second.time.high && second.time.low <= first.time.high;
    if (overlap)
        text +=
            " The confidence intervals of the medians overlap, so the difference is not "
            "significant.";

    const Amounts of_first = amounts(first);
    const Amounts of_second = amounts(second);
    std::string only;  // a cost that only one of them has
    Ratio most;
    Ratio with_time;  // the largest ratio of a cost of which the slower case has more
    for (const Cost& cost : costs) {
        const auto& one = of_first.*cost.amount;
        const auto& other = of_second.*cost.amount;
        if (!one || !other) continue;
        const Ratio ratio{cost.what, *one / first.generations_per_launch,
                          *other / second.generations_per_launch};
        if ((ratio.first > 0) != (ratio.second > 0)) {
            if (only.empty())
                only = " Only " + (ratio.first > 0 ? first : second).variant + " has " + cost.what +
                       ", " + quantity(ratio.first + ratio.second) + " per generation.";
            continue;
        }
        if (ratio.size() > most.size()) most = ratio;
        if ((ratio.first < ratio.second) == (times > 1) && ratio.size() > with_time.size())
            with_time = ratio;
    }
    if (most.size() > 0) {
        text += " Largest difference: " + most.text();
        if (with_time.size() > 0 && with_time.what != most.what)
            text += "; largest one that agrees with the times: " + with_time.text();
        text += ".";
    }
    return text + only;
}

}  // namespace camber::profile
