// The rule of Larger than Life on four cells at once, whose sums have 16 bits each.
#pragma once

#include <cstdint>

#include "variants/life/larger_than_life/byte_words.hpp"

CAMBER_WORKLOAD_BEGIN(larger_than_life)

// A sum and a constant are added so that bit 15 says whether the sum is large enough. Which
// constant depends on the cell itself, so the difference of the two times the cell is added as
// well.
//
// Two sums in a word are added and multiplied as one number of 32 bits. That is right even where a
// difference is negative, for the halves of the end result are not: a sum is at most 33 * 33.
struct PackedRule {
    // To be added to the sums before they are given to next_of(): then bit 15 is set where a dead
    // cell has enough living ones around it.
    std::uint32_t offset = 0;
    std::uint32_t more_if_alive = 0;      // the same of a live cell: added to that
    std::uint32_t too_many = 0;           // added, makes it the bit of too many
    std::uint32_t too_many_if_alive = 0;  // of a live cell: added to that

    static PackedRule of(const LargerThanLife::Parameters& rule) {
        const auto both = [](int value) { return static_cast<std::uint32_t>(value) * 0x00010001u; };
        const auto once = [](int value) { return static_cast<std::uint32_t>(value); };
        return {.offset = both(0x8000 - rule.birth.least),
                .more_if_alive = once(rule.birth.least - rule.survival.least),
                .too_many = both(rule.birth.least - rule.birth.most - 1),
                .too_many_if_alive = once(rule.birth.most - rule.survival.most)};
    }

    // New values of four cells. `even`: sums of the first and the third; `odd`: sums of the second
    // and the fourth; each with `offset` added. 12 instructions, four of them multiply-adds.
    CAMBER_DEVICE std::uint32_t next_of(std::uint32_t even, std::uint32_t odd,
                                        std::uint32_t selves) const {
        const std::uint32_t even_selves = selves & 0x00ff00ffu;
        const std::uint32_t odd_selves = __byte_perm(selves, 0, 0x4341);
        const std::uint32_t enough =
            bits_15(even_selves * more_if_alive + even, odd_selves * more_if_alive + odd);
        const std::uint32_t too = bits_15(even_selves * too_many_if_alive + (even + too_many),
                                          odd_selves * too_many_if_alive + (odd + too_many));
        return (enough & ~too & 0x80808080u) >> 7;
    }

  private:
    // The upper bytes of four halves, in the order of the cells.
    CAMBER_DEVICE static std::uint32_t bits_15(std::uint32_t even, std::uint32_t odd) {
        return __byte_perm(even, odd, 0x7351);
    }
};

CAMBER_TARGET_END
