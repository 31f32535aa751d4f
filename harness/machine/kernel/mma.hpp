// multiply_add(sums, a, b): multiplies small matrices on a warp's tensor cores and adds the product
// to sums. The executor uses a plain loop.
//
// Bytes: 16 x 32 times 32 x 8 gives 16 x 8 sums of 32 bits.
//
// Distribution of the matrices among lanes (PTX ISA, "Matrix Fragments for mma.m16n8k32"), with
// `group` = lane / 4 and `place` = lane % 4; a word contains four bytes, the lowest first:
//     a[0]  row group,     columns 4 * place to 4 * place + 3      a[2]  the same 16 columns on
//     a[1]  row group + 8, the same columns                        a[3]  the same 16 columns on
//     b[0]  rows 4 * place to 4 * place + 3, column group          b[1]  the same 16 rows on
//     sums[0], sums[1]  row group,     columns 2 * place and 2 * place + 1
//     sums[2], sums[3]  row group + 8, the same columns
//
// Floats: 16 x 8 times 8 x 8 gives 16 x 8 sums. Only the upper 19 bits of a factor count (TF32: 10
// bits after the leading one). Distribution (PTX ISA, "Matrix Fragments for mma.m16n8k8"):
//     a[0]  row group,     column place     a[2]  row group,     column place + 4
//     a[1]  row group + 8, column place     a[3]  row group + 8, column place + 4
//     b[0]  row place, column group         b[1]  row place + 4, column group
//     sums  as above
#pragma once

#include <bit>

#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"

#if !CAMBER_ON_DEVICE
    #include "harness/machine/simt/fragments.hpp"
    #include "harness/machine/simt/thread.hpp"
#endif

CAMBER_TARGET_BEGIN

// Compute capability of the first GPUs with this instruction, 10 * major + minor.
inline constexpr int multiply_add_capability = 80;

#if CAMBER_ON_DEVICE

CAMBER_DEVICE void multiply_add(std::uint32_t (&sums)[4], const std::uint32_t (&a)[4],
                                const std::uint32_t (&b)[2]) {
    #if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    #else
    __trap();
    #endif
}

CAMBER_DEVICE void multiply_add(float (&sums)[4], const std::uint32_t (&a)[4],
                                const std::uint32_t (&b)[2]) {
    #if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    #else
    __trap();
    #endif
}

#else

inline simt::Fragment fragment_of(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    const auto both = [](std::uint32_t low, std::uint32_t high) {
        return std::uint64_t{high} << 32 | low;
    };
    return {both(a[0], a[2]), both(a[1], a[3]), both(b[0], b[1])};
}

inline void multiply_add(std::uint32_t (&sums)[4], const std::uint32_t (&a)[4],
                         const std::uint32_t (&b)[2]) {
    const simt::WarpFragments& lanes = simt::exchange_fragments(fragment_of(a, b), Site::current());
    const int group = simt::lane() / 4;
    const int place = simt::lane() % 4;
    // A row of a, and a column of b, is distributed over four lanes.
    for (int other = 0; other < 4; ++other) {
        const std::uint64_t row = lanes[group * 4 + other].row;
        const std::uint64_t row_8_on = lanes[group * 4 + other].row_8_on;
        for (int c = 0; c < 2; ++c) {
            const std::uint64_t column = lanes[(2 * place + c) * 4 + other].column;
            for (int shift = 0; shift < 64; shift += 8) {
                const auto factor = static_cast<std::uint32_t>(column >> shift & 0xff);
                sums[c] += static_cast<std::uint32_t>(row >> shift & 0xff) * factor;
                sums[2 + c] += static_cast<std::uint32_t>(row_8_on >> shift & 0xff) * factor;
            }
        }
    }
}

// `a` and `b` contain the bits of floats.
inline void multiply_add(float (&sums)[4], const std::uint32_t (&a)[4],
                         const std::uint32_t (&b)[2]) {
    const simt::WarpFragments& lanes = simt::exchange_fragments(fragment_of(a, b), Site::current());
    const int lane = simt::lane();
    const auto product = [](std::uint64_t x, std::uint64_t y, int shift) {
        constexpr std::uint32_t counting = 0xffffe000u;
        return std::bit_cast<float>(static_cast<std::uint32_t>(x >> shift) & counting) *
               std::bit_cast<float>(static_cast<std::uint32_t>(y >> shift) & counting);
    };
    for (int other = 0; other < 4; ++other) {
        const int row_lane = lane / 4 * 4 + other;
        const std::uint64_t row = lanes[row_lane].row;
        const std::uint64_t row_8_on = lanes[row_lane].row_8_on;
        for (int c = 0; c < 2; ++c) {
            const std::uint64_t column = lanes[(2 * (lane % 4) + c) * 4 + other].column;
            for (int shift = 0; shift < 64; shift += 32) {
                sums[c] += product(row, column, shift);
                sums[2 + c] += product(row_8_on, column, shift);
            }
        }
    }
}

#endif

CAMBER_TARGET_END
