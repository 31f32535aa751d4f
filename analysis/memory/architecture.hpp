// Memory rules of each GPU generation, and the names of the generations.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace camber {

// The rules by which a warp's memory instruction becomes memory transactions. A rule set covers
// global and shared memory (CUDA C Programming Guide, compute-capability appendix of the editions
// that cover each generation).
enum class RuleSet : std::uint8_t {
    cc10,           // 1.0, 1.1: a half-warp coalesces perfectly or not at all; 16 banks
    cc12,           // 1.2, 1.3: segments per half-warp, shrunk to what is used; 16 banks
    cc20,           // 2.x: loads in 128-byte L1 lines, stores in 32-byte sectors; 32 banks
    cc20_uncached,  // 2.x with loads that bypass L1 (-Xptxas -dlcm=cg): 32-byte sectors
    cc30,           // 3.x: 32-byte sectors; banks that serve two words of one 256-byte segment
    cc50,           // 5.x and later: 32-byte sectors, one request per instruction of a warp
};

inline constexpr std::array all_rule_sets = {RuleSet::cc10,          RuleSet::cc12, RuleSet::cc20,
                                             RuleSet::cc20_uncached, RuleSet::cc30, RuleSet::cc50};

struct Architecture {
    int major = 9;
    int minor = 0;
    RuleSet rules = RuleSet::cc50;
    // Compute capability above 9.0: the newest rules are applied, but they have not been compared
    // with that generation's counters.
    bool newer_than_rules = false;
};

// Reads a compute capability as people write it: "cc1.0", "CC 9.0", "9.0", "sm_90", "sm_90a",
// "compute_120". Compute capability 2.x takes "-cg" at the end for loads that bypass L1
// ("cc2.0-cg"). Throws std::invalid_argument for anything else, and for a compute capability that
// no GPU has.
Architecture parse_architecture(std::string_view name);

// "CC 9.0": how a report names it.
std::string to_string(const Architecture& architecture);

// "CC 1.2-1.3", "CC 2.x", "CC 2.x, loads not cached in L1", "CC 5.x and later", ...
std::string to_string(RuleSet rules);

}  // namespace camber
