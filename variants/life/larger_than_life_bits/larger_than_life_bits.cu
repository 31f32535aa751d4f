// Larger than Life on one-bit cells, 32 of them in a word, with bit-sliced counts.
#include <cstdint>
#include <string>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/views.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/life/larger_than_life/bits.hpp"

// Bit-sliced counts of 64 cells: the 32 cells of a word and 16 on each side, the reach of the
// largest radius.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

using BitRule = LargerThanLifeBits;

// Cells of a row: bit 0 of `low` is the cell 16 before the word's first.
struct CellWindow {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
};

// Counts of at most `most` for each of the 64 columns.
template <int most>
struct WindowCounts {
    static constexpr int bits = bits_of(most);
    std::uint32_t low[bits] = {};
    std::uint32_t high[bits] = {};
};

// Adds the cells of an entering row and subtracts those of a leaving row. The difference per cell
// is 1, 0 or -1; in two's complement, all bits except the lowest are its sign.
template <int most>
CAMBER_DEVICE void exchange(WindowCounts<most>& counts, CellWindow enters, CellWindow leaves) {
    const auto move = [](std::uint32_t(&bits)[WindowCounts<most>::bits], std::uint32_t enter,
                         std::uint32_t leave) {
        const std::uint32_t lowest = enter ^ leave;
        const std::uint32_t sign = leave & ~enter;
        std::uint32_t carry = bits[0] & lowest;
        bits[0] ^= lowest;
#pragma unroll
        for (int k = 1; k < WindowCounts<most>::bits; ++k) {
            const std::uint32_t next = BitRule::majority(bits[k], sign, carry);
            bits[k] = BitRule::parity(bits[k], sign, carry);
            carry = next;
        }
    };
    move(counts.low, enters.low, leaves.low);
    move(counts.high, enters.high, leaves.high);
}

template <int a, int b>
CAMBER_DEVICE WindowCounts<a + b> sum_of(const WindowCounts<a>& first,
                                         const WindowCounts<b>& second) {
    WindowCounts<a + b> sum;
    std::uint32_t low_carry = 0;
    std::uint32_t high_carry = 0;
#pragma unroll
    for (int k = 0; k < WindowCounts<a + b>::bits; ++k) {
        const bool in_first = k < WindowCounts<a>::bits;
        const bool in_second = k < WindowCounts<b>::bits;
        const std::uint32_t low[] = {in_first ? first.low[k] : 0, in_second ? second.low[k] : 0};
        const std::uint32_t high[] = {in_first ? first.high[k] : 0, in_second ? second.high[k] : 0};
        sum.low[k] = BitRule::parity(low[0], low[1], low_carry);
        low_carry = BitRule::majority(low[0], low[1], low_carry);
        sum.high[k] = BitRule::parity(high[0], high[1], high_carry);
        high_carry = BitRule::majority(high[0], high[1], high_carry);
    }
    return sum;
}

// Shifts counts by `places` columns; zeros enter at the end.
template <int places, int most>
CAMBER_DEVICE WindowCounts<most> moved(const WindowCounts<most>& counts) {
    static_assert(places >= 0 && places <= 32);
    if constexpr (places == 0) {
        return counts;
    } else {
        WindowCounts<most> result;
#pragma unroll
        for (int k = 0; k < WindowCounts<most>::bits; ++k) {
            if constexpr (places < 32) {
                result.low[k] = counts.low[k] >> places | counts.high[k] << (32 - places);
                result.high[k] = counts.high[k] >> places;
            } else {
                result.low[k] = counts.high[k];
            }
        }
        return result;
    }
}

// For each column, the sum of `length` counts from that column on; counts are at most `each`.
// `powers` contains sums of `power` columns, two of which give a sum of twice as many columns;
// `rest` contains sums for the bits of `length` below `power`. n columns take about 2 log2 n
// additions.
template <int length, int each, int power, int so_far>
CAMBER_DEVICE WindowCounts<length * each> sum_along(const WindowCounts<power * each>& powers,
                                                    const WindowCounts<so_far * each>& rest) {
    constexpr bool takes = (length & power) != 0;
    constexpr int taken = so_far + (takes ? power : 0);
    const auto next = [&] {
        if constexpr (takes)
            return sum_of(powers, moved<power>(rest));
        else
            return rest;
    }();
    if constexpr (taken == length)
        return next;
    else
        return sum_along<length, each, 2 * power, taken>(sum_of(powers, moved<power>(powers)),
                                                         next);
}

// Sums over the columns around each cell of the word.
template <int Radius>
CAMBER_DEVICE auto square_counts(const WindowCounts<2 * Radius + 1>& columns) {
    constexpr int side = 2 * Radius + 1;
    // The square begins `Radius` columns before the cell, and the window begins 16 before the word.
    return moved<largest_radius - Radius>(
        sum_along<side, side, 2, 1>(sum_of(columns, moved<1>(columns)), columns));
}

CAMBER_TARGET_END

// bit_columns: running column sums in bits. A thread moves down a stretch of a word's 32 columns.
// For them and the 16 columns on each side it stores the counts of live cells within the radius of
// the row, bit-sliced: one bit of all counts per word. The entering row is added and the leaving
// row subtracted by carries across words. Along the row, sums of two, four and more columns are
// composed from sums of half as many. No shared memory and no shuffles: adjacent words come from
// caches.
//
// Instructions of the loop for a row of 32 cells, as compiled for sm_90: 147 at radius 1, 291 at
// radius 5, 484 at radius 15, of which 91, 234 and 427 are logic or shifts. So 7.3 and 13.3 of the
// latter per cell at radius 5 and 15; an H200 performs 16.7 T per second, enough for 2.3 and 1.25 T
// cells, while its memory could move 17 T cells.
//
// Running sums: McDonnell 1981; bit-sliced counts: Knuth 2011, section 7.1.3.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

template <int Radius>
class BitColumns {
  public:
    CAMBER_DEVICE BitColumns(const Views<BitRule>& views, int word)
        : views_(views), cells_(views.input(BitRule::Current{})), word_(word) {}

    // Computes rows [first, end).
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

namespace camber::larger_than_life {

namespace {

const Registration bits([](Registry& registry) {
    Catalogue<LargerThanLifeBits> catalogue(registry, "larger_than_life", ElementType::bits);
    TechniqueList<Global, Halo, ReadOnly>::add_to(catalogue);
    BitColumnsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
