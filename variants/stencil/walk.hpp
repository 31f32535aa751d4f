// Cells of a tile that each thread of the block loads or computes, and shared-memory tiles for the
// fields that a rule reads beyond its own cell.
#pragma once

#include <type_traits>

#include "harness/machine/kernel/vocabulary.hpp"

// Cells of a tile that a thread of the block handles when it loads or computes the tile.
//
// A walk covers a region of Elements*BX columns and BY rows plus a halo of `ring` cells around it,
// and calls f(row, column) with tile coordinates counted from the halo's upper left corner.
CAMBER_TARGET_BEGIN

// The same value, but one that the compiler does not know.
CAMBER_DEVICE int opaque(int value) {
    asm volatile("" : "+r"(value));
    return value;
}

// Calls f(row, column) from a separate location: if lanes of a warp call f from different
// locations, the device runs it once for each.
template <class F>
CAMBER_DEVICE void visit(const F& f, int row, int column, Site site = Site::current()) {
    const CallPath path(site);
    f(row, column);
}

// One thread per region cell; the first column of threads adds the left and right ring, the first
// row the upper and lower ring, one thread the four corners (Balasalle 2011, Figures 5.6, 5.15
// and 5.17; the corner thread is (0,1) there, which a block of one row does not have). With
// CompileTime the shape is a constant, else it is read from blockDim as in the published kernel.
template <int BX, int BY, int Elements, bool CompileTime>
struct ConventionalWalk {
    template <int ring, class F>
    CAMBER_DEVICE static void each(const F& f) {
        const int bx = CompileTime ? BX : blockDim.x;
        const int by = CompileTime ? BY : blockDim.y;
        const int width = Elements * bx;
        const int tx = threadIdx.x;
        const int ty = threadIdx.y;
#pragma unroll
        for (int e = 0; e < Elements; ++e) visit(f, ty + ring, tx + ring + e * bx);
        if (tx == 0)
#pragma unroll
            for (int d = 0; d < ring; ++d) {
                visit(f, ty + ring, d);
                visit(f, ty + ring, width + ring + d);
            }
        if (ty == 0)
#pragma unroll
            for (int d = 0; d < ring; ++d)
#pragma unroll
                for (int e = 0; e < Elements; ++e) {
                    visit(f, d, tx + ring + e * bx);
                    visit(f, by + ring + d, tx + ring + e * bx);
                }
        if (tx == 0 && ty == (BY > 1 ? 1 : 0)) {
            // A loop of unknown length stays a branch. Unrolled, so few instructions as one ring
            // takes would be made conditional, and every warp would issue them for one thread's
            // sake: 8 to 14 % of a kernel's time (results/experiments/corner_branch.cu).
            const int corner_rows = ring == 1 ? opaque(ring) : ring;
#pragma unroll(ring == 1 ? 1 : ring)
            for (int a = 0; a < corner_rows; ++a)
#pragma unroll
                for (int b = 0; b < ring; ++b) {
                    visit(f, a, b);
                    visit(f, a, width + ring + b);
                    visit(f, by + ring + a, b);
                    visit(f, by + ring + a, width + ring + b);
                }
        }
    }
};

// All threads sweep the tile as one line of cells, the block's size apart (Balasalle 2011, Figure
// 5.18: no thread idles while another loads the halo).
template <int BX, int BY, int Elements>
struct LinearWalk {
    template <int ring, class F>
    CAMBER_DEVICE static void each(const F& f) {
        constexpr int width = Elements * BX + 2 * ring;
        constexpr int height = BY + 2 * ring;
        for (int k = threadIdx.y * BX + threadIdx.x; k < width * height; k += BX * BY)
            f(k / width, k % width);
    }
};

CAMBER_TARGET_END

// Shared-memory tiles for the fields that a rule reads beyond its own cell.
CAMBER_TARGET_BEGIN

// One tile per field that a rule reads beyond its own cell; the others are read where they are
// used.
struct NotStaged {};
template <int Height, int Width>
struct TileOf {
    template <class Tag>
    using Type =
        std::conditional_t<(Tag::radius > 0), Tile<typename Tag::Type, Height, Width>, NotStaged>;
};

CAMBER_TARGET_END
