// byte_sums: like row_stream on one-byte cells, with four cells per 32-bit addition. A cell is 0 or
// 1, so no sum of a neighborhood overflows its byte. A row's cells are added to their left and
// right neighbors once, and these sums serve the rows above and below. Cell-by-cell addition would
// be bound by instructions, because one-byte cells need only a quarter of the memory traffic.
// Several numbers in one word: Lamport 1975.
#pragma once

#include <cstdint>
#include <cstring>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"

CAMBER_TARGET_BEGIN

// True if a rule counts the eight neighbors of byte cells and provides `next_four(neighbours,
// selves, parameters)`, which computes four adjacent cells at once.
template <class Rule>
constexpr bool counts_bytes() {
    return requires(std::uint32_t word, const typename Rule::Parameters& parameters) {
        Rule::next_four(word, word, parameters);
    };
}

// Sums for a thread's cells of one row: W words of four cells each, the first cell in the lowest
// byte.
template <int W>
struct RowOfBytes {
    std::uint32_t self[W];
    std::uint32_t sides[W];  // left and right neighbor
    std::uint32_t all[W];    // both and the cell itself
};

template <class Rule, int Rows, Fit fit>
class ByteStream {
  public:
    static constexpr int W = 4;
    static constexpr int N = 4 * W;
    using Tag = typename Rule::Inputs::template At<0>;

    // Own cells are columns [column, column + N) of rows [row, row + Rows). All lanes take part.
    CAMBER_DEVICE ByteStream(const Views<Rule>& views, int row, int column)
        : views_(views),
          window_(views.input(Tag{}).window(row, column)),
          row_(row),
          column_(column) {}

    // Loads all rows before the first sum, so that more requests are in flight.
    CAMBER_DEVICE void run() const {
        RowOfBytes<W> rows[Rows + 2];
#pragma unroll
        for (int r = 0; r < Rows + 2; ++r) load(r - 1, rows[r].self);
#pragma unroll
        for (int r = 0; r < Rows + 2; ++r) add_sides(r - 1, rows[r]);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            Pack<std::uint8_t, N> next;
            std::uint32_t words[W];
#pragma unroll
            for (int w = 0; w < W; ++w)
                words[w] =
                    Rule::next_four(rows[r].all[w] + rows[r + 1].sides[w] + rows[r + 2].all[w],
                                    rows[r + 1].self[w], views_.parameters);
            memcpy(&next, words, sizeof(next));
            store_row<N, fit>(views_, row_ + r, column_, [&](int c) { return next[c]; });
        }
    }

  private:
    CAMBER_DEVICE void load(int r, std::uint32_t* words) const {
        const Site whole = Site::current();
        const Site single = Site::current();
        Pack<std::uint8_t, N> own;
        if (fit == Fit::exact || (exists(r) && column_ + N <= views_.columns)) {
            own = pack<N>(window_, r, 0, whole);
            if constexpr (fit != Fit::exact) {
#pragma unroll
                for (int i = 0; i < N; ++i) skip(single);
            }
        } else {
            skip(whole);
#pragma unroll
            for (int i = 0; i < N; ++i)
                own[i] = load_if(exists(r, i), window_, r, i, Tag::outside(), single);
        }
        memcpy(words, &own, sizeof(own));
    }

    // Adds left and right neighbors. The first and the last lane have no neighboring lane on one
    // side; one load serves both.
    CAMBER_DEVICE void add_sides(int r, RowOfBytes<W>& row) const {
        const int lane = threadIdx.x % 32u;  // with warpSize, the compiler would divide at run time
        const bool first = lane == 0;
        const bool last = lane == 31;
        const int edge = first ? -1 : N;
        const std::uint32_t beyond =
            load_if((first || last) && exists(r, edge), window_, r, edge, Tag::outside());
        const std::uint32_t left = __shfl_up_sync(0xffffffffu, row.self[W - 1], 1);
        const std::uint32_t right = __shfl_down_sync(0xffffffffu, row.self[0], 1);
        const std::uint32_t before = first ? beyond << 24 : left;
        const std::uint32_t after = last ? beyond : right;
#pragma unroll
        for (int w = 0; w < W; ++w) {
            const std::uint32_t previous = w == 0 ? before : row.self[w - 1];
            const std::uint32_t next = w == W - 1 ? after : row.self[w + 1];
            row.sides[w] = (row.self[w] << 8 | previous >> 24) + (row.self[w] >> 8 | next << 24);
            row.all[w] = row.sides[w] + row.self[w];
        }
    }

    // True if the board or its halo contains the row, or the cell, counted from the first own one.
    CAMBER_DEVICE bool exists(int r) const {
        return fit == Fit::exact || row_ + r <= views_.rows;
    }
    CAMBER_DEVICE bool exists(int r, int c) const {
        return fit == Fit::exact || (row_ + r <= views_.rows && column_ + c <= views_.columns);
    }

    const Views<Rule>& views_;
    Window<const std::uint8_t> window_;
    int row_;
    int column_;
};

template <class Rule, int Rows, Fit fit>
__global__ void byte_sums_kernel(const Views<Rule> views) {
    constexpr int N = ByteStream<Rule, Rows, fit>::N;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    ByteStream<Rule, Rows, fit>(views, row, column).run();
}

struct ByteSums {
    static constexpr TechniqueInfo info{
        "byte_sums", "as row_stream, four cells of a byte added by every 32-bit addition",
        "after Lamport 1975 (several numbers in a word)", Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        static_assert(counts_bytes<Rule>() && Rule::Inputs::radius == 1);
        for (const Region block : {Region{32, 4}, Region{64, 4}}) {
            catalogue.add(info, variant<Rule, 1>(block));
            catalogue.add(info, variant<Rule, 2>(block));
            catalogue.add(info, variant<Rule, 4>(block));
            catalogue.add(info, variant<Rule, 8>(block));
        }
    }

  private:
    // Blocks are whole warps wide.
    template <class Rule, int Rows>
    static StencilVariant<Rule> variant(Region block) {
        constexpr int N = ByteStream<Rule, Rows, Fit::exact>::N;
        return {.shape = {.block = block,
                          .region = {block.columns * N, block.rows * Rows},
                          .halo = Rule::Inputs::radius,
                          .alignment = 128,
                          .elements_per_thread = N * Rows,
                          .path = block.name() + "/v" + std::to_string(N) + "/r" +
                                  std::to_string(Rows)},
                .kernel = {byte_sums_kernel<Rule, Rows, Fit::overhang>,
                           byte_sums_kernel<Rule, Rows, Fit::exact>}};
    }
};

CAMBER_TARGET_END
