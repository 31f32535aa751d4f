// Cells of one bit, 32 of them in a word: which cell of a row is which bit.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "harness/base/target.hpp"

namespace camber {

inline constexpr int bits_per_word = 32;

// Words stand in groups that are as wide as their cells. In a group of g words, bit b of word w is
// cell g*b + w: with one word the cells lie in the order of its bits; with several, the neighbours
// of a word's cells are the cells of other words, without a shift.
struct BitOrder {
    int words_per_group = 1;

    CAMBER_HD int cells_per_group() const { return words_per_group * bits_per_word; }
    // Words of a row, whole groups; the last ones may have bits that are no cells.
    CAMBER_HD int words(int columns) const {
        return (columns + cells_per_group() - 1) / cells_per_group() * words_per_group;
    }
    CAMBER_HD bool fills(int columns) const { return columns % cells_per_group() == 0; }

    // The column of a bit; negative, or beyond the last column, where the row has no such word.
    CAMBER_HD int column(int word, int bit) const {
        const int group = floor_of(word, words_per_group);
        return group * cells_per_group() + words_per_group * bit + (word - group * words_per_group);
    }
    CAMBER_HD int word(int column) const {
        const int group = column / cells_per_group();
        return group * words_per_group + column % words_per_group;
    }
    CAMBER_HD int bit(int column) const { return column % cells_per_group() / words_per_group; }
    // The bits of a word whose columns are from 0 to `columns` - 1.
    CAMBER_HD std::uint32_t on_board(int word, int columns) const {
        const int first = column(word, 0);
        if (first < 0) return 0;
        const int count = (columns - first + words_per_group - 1) / words_per_group;
        if (columns <= first) return 0;
        return count >= bits_per_word ? 0xffffffffu : (1u << count) - 1;
    }

  private:
    CAMBER_HD static int floor_of(int i, int n) { return i >= 0 ? i / n : -((n - 1 - i) / n); }
};

// The state with every field of bits as a field of words. Bits that are no cells are 0.
State in_words(const State& cells, BitOrder order);
// As in_words(), of any values: memory for a download.
State empty_words(const State& cells, BitOrder order);
// The way back, into the fields that `cells` has.
void from_words(const State& words, BitOrder order, State& cells);

}  // namespace camber
