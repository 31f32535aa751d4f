// Shared-memory rules: how many passes over the banks one instruction of one warp takes. A pass is
// what profilers call a wavefront.
//
// Source: CUDA C Programming Guide, compute-capability appendix, of the editions that cover each
// generation. Word = address / 4, bank = word mod 16 (1.x) or mod 32.
//
//   1.x  Half-warps separately. A read repeats until every lane is served: the word of the lowest
//        remaining lane is broadcast to all lanes that want it, and every other bank serves one
//        lane, the lowest remaining (the guide leaves the choice of the broadcast word open). A
//        write takes as many passes as the fullest bank has distinct words. An 8-byte access is two
//        4-byte ones (first words, then second words), a 16-byte access four.
//   2.x  Any number of words may be broadcast: a part takes as many passes as the fullest bank has
//        distinct words. Parts: the warp for up to 4 bytes a lane, half-warps for 8, quarter-warps
//        for 16, which cost one pass more each.
//   3.x  In the default 4-byte mode, words of one bank that lie in the same aligned 64-word segment
//        are served together. Parts: the warp for up to 8 bytes a lane, half-warps for 16. The
//        8-byte mode is not modeled.
//   5.x  And later: as 2.x, without the extra pass of 16-byte accesses. Such hardware has been seen
//        to serve both half-warps of an 8-byte access in one pass if their words coincide
//        (broadcasts, for one); that merging is undocumented and not modeled, so that passes of
//        such 8- and 16-byte accesses are an upper bound.
//
// An atomic counts as a store: the rounds in which lanes that update one word take turns are not
// modeled.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "analysis/memory/footprint.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

inline constexpr int word_bytes = 4;
inline constexpr int word_shift = 2;

// 16 on compute capability 1.x, 32 later.
int bank_count(RuleSet rules);

struct BankCounts {
    std::int64_t passes = 0;
    // Passes that the same lanes would need at the same width without bank conflicts: one pass per
    // part with an active lane, times the rule's passes per part.
    std::int64_t minimum = 0;

    std::int64_t conflicts() const { return passes - minimum; }
    BankCounts& operator+=(const BankCounts& other);
    bool operator==(const BankCounts&) const = default;
};

// Zero passes without active lanes. `whole` is Footprint(request, ~0u). Does not check the request.
BankCounts count_passes(const WarpRequest& request, const Footprint& whole, RuleSet rules);
BankCounts count_passes(const WarpRequest& request, RuleSet rules);

// One pass of an instruction, for pictures.
struct BankPass {
    std::uint32_t part = 0;                     // the lanes that are served apart from all others
    int word = 0;                               // 1.x: which 4-byte piece of a wider access; else 0
    std::array<std::uint32_t, 32> lanes{};      // per bank: whom it serves; 0 where it is idle
    std::array<std::int64_t, 32> first_word{};  // per bank: the (lowest) word it delivers
};

// The passes one by one, in lane order of their parts. The extra pass of 2.x's 16-byte accesses
// serves no lane. If the rule leaves the order of words open, the lowest are first. Throws
// std::invalid_argument for requests that check_request() refuses.
std::vector<BankPass> bank_passes(const WarpRequest& request, RuleSet rules);

}  // namespace camber
