#include "analysis/profile/diagnosis.hpp"

#include <algorithm>
#include <stdexcept>

#include "analysis/profile/paragraph.hpp"

namespace camber::profile {

namespace {

// The bytes that a launch must at least move, where they have to come from DRAM.
std::optional<Utilisation> least_dram(const Facts& facts) {
    const auto copy = facts.ceilings.dram_copy();
    const auto l2_bytes = facts.gpu.l2_bytes;
    if (!copy || !l2_bytes || facts.application_bytes <= static_cast<double>(*l2_bytes))
        return std::nullopt;
    return Utilisation{Resource::dram, facts.application_bytes / facts.seconds_per_launch(), *copy,
                       true};
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
            // Kept in order: the list is short and mostly empty here.
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

}  // namespace camber::profile
