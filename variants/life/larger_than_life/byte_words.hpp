// Cells of a byte, four in a word of 32 bits, the first one in the lowest byte.
#pragma once

#include <cstdint>
#include <cstring>

#include "variants/stencil/views.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

#if !CAMBER_ON_DEVICE
    #include "harness/machine/simt/byte_words.hpp"
#endif

CAMBER_WORKLOAD_BEGIN(larger_than_life)

// 4 * W cells side by side.
template <int W>
struct Words {
    std::uint32_t word[W] = {};
};

// Loads cells of the board and its halo, 4 * W by one access; cells beyond the halo on the right or
// below are dead. With Fit::exact there are none.
template <int W, Fit fit>
class WordLoader {
  public:
    static constexpr int N = 4 * W;

    // `column`: of the first cell; a multiple of N, as accesses must be.
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
        // Most of the lanes at the right edge have no cell at all, and do not wait for any.
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
    // The same if the columns fit and the row may be below the halo.
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

// If the lane stores at all, stores those of its 4 * W cells that are on the board.
template <int W, Fit fit>
CAMBER_DEVICE void store_words(bool stores, const Views<LargerThanLife>& views, int row, int column,
                               const Words<W>& words, Site site = Site::current()) {
    constexpr int N = 4 * W;
    const CallPath path(site);
    const auto& cells = get<0>(views.outputs);
    const Site whole = Site::current();
    const Site single = Site::current();
    if (stores && (fit == Fit::exact || (row < views.rows && column + N <= views.columns))) {
        Pack<std::uint8_t, N> packed;
        memcpy(&packed, &words, sizeof(words));
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
