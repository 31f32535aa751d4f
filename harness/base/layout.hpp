// Memory layout of two-dimensional fields: pitch, halo and padding, ranges of rows, and the order
// of one-bit cells in words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/base/state.hpp"
#include "harness/base/target.hpp"

namespace camber {

// A range of a board's rows.
struct Rows {
    int first = 0;  // negative in the halo
    int end = 0;    // one past the last row

    constexpr int count() const { return end > first ? end - first : 0; }
    friend constexpr bool operator==(const Rows&, const Rows&) = default;
};

// Memory layout of a two-dimensional field: `rows` x `columns` interior cells, a halo of `halo`
// cells on every side, and padding such that the first interior cell of every row starts at a
// multiple of `alignment` bytes (halo cells do not: the padding of Balasalle 2011, section 5.2.3,
// generalized to any halo width).
//
//     lead pad | halo rows | halo, interior, halo, row pad | ... | halo rows
//
// All quantities but `alignment` count elements. The allocation is assumed to be aligned to 256
// bytes, as by cudaMalloc.
struct Layout {
    int columns = 0;
    int rows = 0;
    int halo = 0;
    int alignment = 0;  // bytes; equal to the element size: no padding at all
    int lead = 0;       // elements before the first halo cell
    int pitch = 0;      // elements between vertically adjacent cells

    // Alignment is in bytes and at least the element size; both are powers of two.
    static constexpr Layout make(int columns, int rows, int halo, int alignment, int element_size) {
        const int unit = alignment > element_size ? alignment / element_size : 1;
        const auto round_up = [unit](int n) { return (n + unit - 1) / unit * unit; };
        return {columns,
                rows,
                halo,
                unit * element_size,
                round_up(halo) - halo,
                round_up(columns + 2 * halo)};
    }

    // Index of interior cell (0, 0).
    constexpr std::ptrdiff_t origin() const {
        return lead + halo + static_cast<std::ptrdiff_t>(halo) * pitch;
    }

    // Elements to allocate.
    constexpr std::size_t elements() const {
        return lead + static_cast<std::size_t>(rows + 2 * halo) * pitch;
    }

    // Layout of some rows as a board of their own, in the same memory: the surrounding cells are
    // its halo, as far as there are cells on all sides. The rows may begin and end in the halo.
    constexpr Layout part(Rows of) const {
        const int above = halo + of.first;
        const int below = halo + rows - of.end;
        int least = above < below ? above : below;
        if (halo < least) least = halo;
        Layout part = *this;
        part.rows = of.count();
        part.halo = least;
        part.lead = lead + halo - least;
        return part;
    }
    // Distance in elements from the start of this layout's allocation to the start of the part's.
    constexpr std::ptrdiff_t offset_of(Rows of) const {
        return origin() + static_cast<std::ptrdiff_t>(of.first) * pitch - part(of).origin();
    }

    friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

// One-bit cells, 32 per word
inline constexpr int bits_per_word = 32;

// Assignment of cells to bits. Words form groups that are as wide as their cells. In a group of g
// words, bit b of word w is cell g*b + w: with one word, cells have the order of its bits; with
// several words, the neighbors of a word's cells are the cells of other words, without a shift.
struct BitOrder {
    int words_per_group = 1;

    CAMBER_HD int cells_per_group() const { return words_per_group * bits_per_word; }
    // Number of words in a row, in whole groups; the last ones may contain unused bits.
    CAMBER_HD int words(int columns) const {
        return (columns + cells_per_group() - 1) / cells_per_group() * words_per_group;
    }
    CAMBER_HD bool fills(int columns) const { return columns % cells_per_group() == 0; }

    // Column of a bit; negative, or beyond the last column, if the row has no such word.
    CAMBER_HD int column(int word, int bit) const {
        const int group = floor_of(word, words_per_group);
        return group * cells_per_group() + words_per_group * bit + (word - group * words_per_group);
    }
    CAMBER_HD int word(int column) const {
        const int group = column / cells_per_group();
        return group * words_per_group + column % words_per_group;
    }
    CAMBER_HD int bit(int column) const { return column % cells_per_group() / words_per_group; }
    // Mask of the bits of a word whose columns are from 0 to `columns` - 1.
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

// Converts the state's bit fields to fields of words. Unused bits are 0.
State in_words(const State& cells, BitOrder order);
// Like in_words(), with unspecified values: memory for a download.
State empty_words(const State& cells, BitOrder order);
// Inverse of in_words(), for the fields of `cells`.
void from_words(const State& words, BitOrder order, State& cells);

}  // namespace camber
