// Bit-sliced counts of 64 cells: those of a word, and 16 on each side of it, as far as the largest
// radius reaches.
#pragma once

#include <cstdint>

#include "variants/stencil/views.hpp"
#include "workloads/life/larger_than_life/bits.hpp"

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

// Adds the cells of a row that enters and takes away those of one that leaves. Their difference is
// 1, 0 or -1, and has its sign in all bits but the lowest.
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

// At every place the sum of `length` places from it on, of counts of at most `each`. In `powers`
// are the sums of `power` places, two of which make one of twice as many; in `rest` those of as
// many as the bits of `length` below `power` say. So n places take about 2 log2 n additions.
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
    // The cell's first column is the radius before it, and the window begins 16 before the word.
    return moved<largest_radius - Radius>(
        sum_along<side, side, 2, 1>(sum_of(columns, moved<1>(columns)), columns));
}

CAMBER_TARGET_END
