// Diagnosis of a measured case: names the limiting factor by a fixed rule, explains it with numbers
// in a paragraph, and compares two cases.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/facts.hpp"
#include "analysis/profile/figures.hpp"

namespace camber::profile {

inline constexpr double saturation = 0.6;     // share of its ceiling from which a resource limits
inline constexpr double short_launches = 3;   // in empty launches; below, launch-bound
inline constexpr double low_occupancy = 0.5;  // below, too few warps to hide latency

enum class Limit {
    resource,   // a device resource, see Diagnosis::resource
    launch,     // launches too short to amortize the launch overhead
    occupancy,  // latency, with too few warps to hide it
    latency,    // latency, despite enough warps
    unknown,    // the required counters are missing or of another stage
};

std::string_view key(Limit limit);  // in files, e.g. "occupancy"

// Rule, in order:
//
//   1. The resource with the largest share of its measured ceiling, if that share is at least 60 %.
//      Real kernels stay below their ceiling even if nothing else limits them: reads and writes
//      alternate, and the last blocks run alone. NVIDIA's Nsight Compute also separates utilization
//      from latency at 60 % (Speed of Light section, rule "Bottleneck").
//   2. Otherwise launching, if a launch takes less than 3 times an empty one, so that at least a
//      third of the time is launch overhead. The bound is no higher because launches overlap: on an
//      H200, Life kernels of 4.5 to 21 empty launches (2048 x 2048 cells, results/h200) reach 89 to
//      126 % of their rate on a board 64 times larger.
//   3. Otherwise latency: no resource is busy, so warps stall. If fewer than half of the possible
//      warps are resident, the cause is low occupancy; else memory latency, barriers and
//      dependencies on earlier instructions.
//
// Without counters of DRAM, L2 and instructions the largest share is unavailable. In that case, if
// the fields are larger than L2, DRAM traffic is estimated as the minimum bytes that a launch must
// move; rule 2 applies unchanged, and otherwise the limit is unknown.
inline constexpr std::string_view rule =
    "the resource with the largest share of its measured ceiling, if at least 60 %; else "
    "launching, "
    "if a launch takes less than 3 empty ones; else latency.";

struct Diagnosis {
    Limit limit = Limit::unknown;
    std::optional<Resource> resource;  // the one with the largest share, even if it does not limit
    std::vector<Utilisation> utilisations;  // largest share first
    bool of_another_stage = false;          // some share of the counters is_impossible()
    Amounts amounts;
    Ratios ratios;
    std::string verdict;    // a few words: "issue slots", "latency: too few warps"
    std::string paragraph;  // three to five sentences with the numbers
};

// Pure. `facts.time.median`, `cells` and `application_bytes` must be positive; throws
// std::invalid_argument otherwise.
Diagnosis diagnose(const Facts& facts);

// One or two sentences: the faster case, and the largest difference in work per generation.
std::string compare(const Facts& first, const Facts& second);

// Explanation, in a clause, why one variant is faster than another.

// Differing parts of two names: "shared_tile" and "halo" for life/shared_tile/16x16 and
// life/halo/16x16. Whole names if one has no part of its own.
struct DistinctNames {
    std::string first;
    std::string second;
};
DistinctNames distinct_names(const std::string& first, const std::string& second);

// Clause based on counters per generation and the limits derived from them: the amounts that the
// slower variant has more of, those it saves nevertheless, those that are equal, and the limit of
// each variant. "no counters" if the two share none.
std::string reason(const Facts& slower, const Facts& faster);

}  // namespace camber::profile
