// Diagnosis of a measured case: names the limit that holds the kernel back by a fixed rule, with
// the numbers behind it, in a paragraph, and against another case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/facts.hpp"
#include "analysis/profile/figures.hpp"

namespace camber::profile {

inline constexpr double saturation = 0.6;     // share of a ceiling from which a resource limits
inline constexpr double short_launches = 3;   // empty launches; below, launching itself limits
inline constexpr double low_occupancy = 0.5;  // below, too few warps to hide latency

enum class Limit {
    resource,   // one of the device's, see Diagnosis::resource
    launch,     // launches too short to pay for themselves
    occupancy,  // latency, with too few warps to hide it
    latency,    // latency, though warps are many
    unknown,    // the counters that would tell are missing, or of another stage
};

std::string_view key(Limit limit);  // in files, e.g. "occupancy"

// The rule, in its order:
//
//   1. The resource with the largest share of its measured ceiling, if that share is at least 60 %.
//      Real kernels stay below their ceiling even when nothing else holds them: reads and writes
//      alternate, the last blocks run alone. NVIDIA's Nsight Compute, too, takes 60 % as the bound
//      between utilisation and latency (Speed of Light section, rule "Bottleneck").
//   2. Otherwise launching, if a launch takes less than 3 times an empty one: a third of the time
//      and more is then not the kernel's. The bound is no higher because launches overlap: on an
//      H200, Life kernels of 4.5 to 21 empty launches (2048 x 2048 cells, results/h200) reach 89 to
//      126 % of their rate on a board 64 times larger.
//   3. Otherwise latency: nothing is busy, so warps wait. Where less than half of the warps that
//      could be resident are, for want of warps; else for memory's answers, for barriers and for
//      results of earlier instructions.
//
// Without the counters of DRAM, L2 and instructions the largest share is not known. Then the bytes
// that a launch must at least move stand for DRAM, if the fields are larger than L2, rule 2 holds
// as it is, and what remains is unknown.
inline constexpr std::string_view rule =
    "the resource with the largest share of its measured ceiling, if at least 60 %; else "
    "launching, "
    "if a launch takes less than 3 empty ones; else latency.";

struct Diagnosis {
    Limit limit = Limit::unknown;
    std::optional<Resource> resource;  // the one with the largest share, whether it limits or not
    std::vector<Utilisation> utilisations;  // largest share first
    bool of_another_stage = false;          // counters of which some share is_impossible()
    Amounts amounts;
    Ratios ratios;
    std::string verdict;    // a few words: "issue slots", "latency: too few warps"
    std::string paragraph;  // three to five sentences with the numbers
};

// Pure. `facts.time.median`, `cells` and `application_bytes` must be positive; throws
// std::invalid_argument otherwise.
Diagnosis diagnose(const Facts& facts);

// One sentence or two: which is faster, and what differs most in what they do per generation.
std::string compare(const Facts& first, const Facts& second);

}  // namespace camber::profile
