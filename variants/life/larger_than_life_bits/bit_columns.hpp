// bit_columns: running sums of columns in bits. A thread goes down a stretch of a word's 32 columns
// and keeps, for them and the 16 on each side, the counts of the live cells within the radius of
// the row, a bit of all counts in a word: the row that enters is added and the one that leaves is
// taken away, by carries across words and not across bits. Along the row, sums of two, four and
// more columns are sums of halves. No shared memory and no shuffles: words beside the thread's own
// come from caches.
//
// Instructions of the loop for a row of 32 cells, as compiled for sm_90: 147 at radius 1, 291 at
// radius 5, 484 at radius 15, of which 91, 234 and 427 are logic or shifts. So 7.3 and 13.3 of
// these a cell at radius 5 and 15; an H200 does 16.7 T a second: enough for 2.3 and 1.25 T cells,
// of which its memory moves 17 T.
//
// Running sums: McDonnell 1981; bit-sliced counts: Knuth 2011, section 7.1.3.
#pragma once

#include <string>

#include "variants/life/larger_than_life_bits/window_counts.hpp"
#include "variants/stencil/by_radius.hpp"

CAMBER_WORKLOAD_BEGIN(larger_than_life)

template <int Radius>
class BitColumns {
  public:
    CAMBER_DEVICE BitColumns(const Views<BitRule>& views, int word)
        : views_(views), cells_(views.input(BitRule::Current{})), word_(word) {}

    // Rows [first, end).
    CAMBER_DEVICE void run(int first, int end) const {
        WindowCounts<2 * Radius + 1> columns;
        CellWindow leaves;
#pragma unroll 1
        for (int row = first - Radius; row < first + Radius; ++row)
            exchange(columns, window(row), leaves);
#pragma unroll 1
        for (int row = first; row < end; ++row) {
            exchange(columns, window(row + Radius), leaves);
            leaves = window(row - Radius);
            const auto counts = square_counts<Radius>(columns);
            constexpr int bits = decltype(counts)::bits;
            const auto count = [&](int k) { return k < bits ? counts.low[k < bits ? k : 0] : 0; };
            const std::uint32_t self = cells_(row, word_);
            store(views_, row, word_, BitRule::next_of(count, self, views_.parameters));
        }
    }

  private:
    CAMBER_DEVICE CellWindow window(int row, Site site = Site::current()) const {
        const CallPath path(site);
        const std::uint32_t before = cells_(row, word_ - 1);
        const std::uint32_t own = cells_(row, word_);
        const std::uint32_t after = cells_(row, word_ + 1);
        return {own << 16 | before >> 16, after << 16 | own >> 16};
    }

    const Views<BitRule>& views_;
    const InputGrid<BitRule::Current>& cells_;
    int word_;
};

template <int Radius>
__global__ void bit_columns_kernel(const Views<BitRule> views, int rows) {
    const int word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= views.columns) return;
    const int first = blockIdx.y * rows;
    const int end = first + rows < views.rows ? first + rows : views.rows;
    BitColumns<Radius>(views, word).run(first, end);
}

struct BitColumnsTechnique {
    static constexpr TechniqueInfo info{
        "bit_columns", "running sums of columns in bits, a bit of 32 counts in a word",
        "after McDonnell 1981 and Knuth 2011, section 7.1.3", Family::register_streaming};

    template <int radius>
    static constexpr RegionKernel<BitRule> kernel() {
        return bit_columns_kernel<radius>;
    }

    static void add(Catalogue<BitRule>& catalogue) {
        constexpr Region block{64, 1};
        for (const int rows : {32, 64, 128})
            catalogue.add(radius_plan<BitColumnsTechnique, BitRule>(
                info, {.block = block,
                       .region = {block.columns, rows},
                       .elements_per_thread = rows,
                       .path = block.name() + "/r" + std::to_string(rows)}));
    }
};

CAMBER_TARGET_END
