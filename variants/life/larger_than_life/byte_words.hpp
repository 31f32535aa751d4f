// Four one-byte cells in a 32-bit word, the first cell in the lowest byte, and the rule of Larger
// than Life on four cells at once.
#pragma once

#include <cstdint>
#include <cstring>

#include "variants/stencil/views.hpp"
#include "variants/stencil/walk.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

// One-byte cells, four in a 32-bit word, the first cell in the lowest byte.

#if !CAMBER_ON_DEVICE
    #include "harness/machine/simt/vector_types.hpp"
#endif

CAMBER_WORKLOAD_BEGIN(larger_than_life)

// 4 * W adjacent cells.
template <int W>
struct Words {
    std::uint32_t word[W] = {};
};

// Loads cells of the board and its halo, 4 * W by one access. Cells beyond the halo on the right or
// below are dead; with Fit::exact there are none.
template <int W, Fit fit>
class WordLoader {
  public:
    static constexpr int N = 4 * W;

    // `column` is that of the first cell, a multiple of N because of the access alignment.
    CAMBER_DEVICE WordLoader(const Views<LargerThanLife>& views, int column)
        : cells_(views.input(LargerThanLife::Current{})),
          rows_(views.rows + cells_.halo()),
          columns_(views.columns + cells_.halo()),
          column_(column) {}

    CAMBER_DEVICE Words<W> operator()(int row, Site site = Site::current()) const {
        const CallPath path(site);
        const Site whole = Site::current();
        const Site single = Site::current();
        Words<W> words;
        if (fit == Fit::exact || (row < rows_ && column_ + N <= columns_)) {
            const Pack<std::uint8_t, N> cells = pack<N>(cells_, row, column_, whole);
            memcpy(words.word, &cells, sizeof(cells));
            if constexpr (fit != Fit::exact) {
#pragma unroll
                for (int i = 0; i < N; ++i) skip(single);
            }
            return words;
        }
        skip(whole);
        // Most lanes at the right edge have no cell at all and must not wait for a load.
        if (row >= rows_ || column_ >= columns_) {
#pragma unroll
            for (int i = 0; i < N; ++i) skip(single);
            return words;
        }
#pragma unroll
        for (int w = 0; w < W; ++w)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = column_ + 4 * w + i;
                const std::uint32_t cell =
                    load_if<std::uint8_t>(row < rows_ && column < columns_, cells_, row, column,
                                          LargerThanLife::Current::outside(), single);
                words.word[w] |= cell << 8 * i;
            }
        return words;
    }
    // Same, if all columns are on the board or in its halo; only the row may be below the halo.
    CAMBER_DEVICE Words<W> up_to_last_row(int row, Site site = Site::current()) const {
        if constexpr (fit == Fit::overhang) return (*this)(row, site);
        Words<W> words;
        if (row < rows_) {
            const Pack<std::uint8_t, N> cells = pack<N>(cells_, row, column_, site);
            memcpy(words.word, &cells, sizeof(cells));
        } else {
            skip(site);
        }
        return words;
    }

  private:
    const Grid<const std::uint8_t>& cells_;
    int rows_;
    int columns_;
    int column_;
};

// Stores those of 4 * W cells that are on the board, if the lane stores any.
template <int W, Fit fit>
CAMBER_DEVICE void store_words(bool stores, const Views<LargerThanLife>& views, int row, int column,
                               const Words<W>& words, Site site = Site::current()) {
    constexpr int N = 4 * W;
    const CallPath path(site);
    const auto& cells = get<0>(views.outputs);
    const Site whole = Site::current();
    const Site single = Site::current();
    if (stores && (fit == Fit::exact || (row < views.rows && column + N <= views.columns))) {
        // Otherwise, the compiler would take the words apart and put the bytes together again.
        Words<W> whole_words;
#pragma unroll
        for (int w = 0; w < W; ++w)
            whole_words.word[w] =
                static_cast<std::uint32_t>(opaque(static_cast<int>(words.word[w])));
        Pack<std::uint8_t, N> packed;
        memcpy(&packed, &whole_words, sizeof(words));
        store_pack(cells, row, column, packed, whole);
        if constexpr (fit != Fit::exact) {
#pragma unroll
            for (int i = 0; i < N; ++i) skip(single);
        }
        return;
    }
    skip(whole);
    if constexpr (fit != Fit::exact) {
#pragma unroll
        for (int w = 0; w < W; ++w)
#pragma unroll 1
            for (int i = 0; i < 4; ++i) {
                const int c = column + 4 * w + i;
                if (stores && row < views.rows && c < views.columns)
                    cells(row, c, single) = static_cast<std::uint8_t>(words.word[w] >> 8 * i);
                else
                    skip(single);
            }
    }
}

CAMBER_TARGET_END

// Rule of Larger than Life on four cells at once, with 16 bits per sum.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

// A constant is added to a sum so that bit 15 is set if the sum is large enough. The constant
// depends on the cell itself, so the difference of the two constants times the cell is also added.
//
// Two sums in a word are added and multiplied as one 32-bit number. This is correct even if a
// difference is negative, because the halves of the final result are not: a sum is at most 33 * 33.
struct PackedRule {
    // Constant to add to both sums of a word before next_of(): bit 15 is then set if a dead cell
    // has enough live cells around it.
    std::uint32_t offset = 0;
    std::uint32_t more_if_alive = 0;      // difference to add for live cells
    std::uint32_t too_many = 0;           // constant to add to test for too many
    std::uint32_t too_many_if_alive = 0;  // difference to add to that for live cells

    static PackedRule of(const LargerThanLife::Parameters& rule) {
        const auto both = [](int value) { return static_cast<std::uint32_t>(value) * 0x00010001u; };
        const auto once = [](int value) { return static_cast<std::uint32_t>(value); };
        return {.offset = both(0x8000 - rule.birth.least),
                .more_if_alive = once(rule.birth.least - rule.survival.least),
                .too_many = both(rule.birth.least - rule.birth.most - 1),
                .too_many_if_alive = once(rule.birth.most - rule.survival.most)};
    }

    // New values of four cells. `even` contains the sums of the first and the third cell, `odd`
    // those of the second and the fourth; `offset` is already added. 12 instructions, four of them
    // multiply-adds.
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
    // Upper bytes of four halves, in the order of the cells.
    CAMBER_DEVICE static std::uint32_t bits_15(std::uint32_t even, std::uint32_t odd) {
        return __byte_perm(even, odd, 0x7351);
    }
};

CAMBER_TARGET_END
