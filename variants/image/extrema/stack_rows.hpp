// Rows of all layers of a stack in the registers of a warp: loads and bulk copies, comparisons as
// sign bits, and the columns adjacent to the warp's own.
#pragma once

#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/bulk_copy.hpp"
#include "variants/image/extrema/layer_rows.hpp"
#include "variants/stencil/catalogue.hpp"
#include "workloads/image/extrema/rule.hpp"

// Comparisons as sign bits. A difference of two floats uses the floating-point pipe, which
// processes 128 lanes per clock for compute capability 8.6 and from 9.0 on; a comparison or a
// maximum uses the integer and logic pipe, which processes 64 (CUDA C++ Programming Guide, table of
// arithmetic throughput).
CAMBER_WORKLOAD_BEGIN(extrema)

// Replaces -0 by 0; other numbers are unchanged.
CAMBER_DEVICE float without_sign_of_zero(float value) {
    return value + 0.0f;
}

// The highest bit is set if a < b; the other bits are meaningless. Zeros must have no sign. A
// difference of unequal floats is never zero, because denormals are preserved, and a NaN difference
// has no sign on a GPU (PTX ISA, section on floating-point instructions).
CAMBER_DEVICE std::uint32_t sign_if_less(float a, float b) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(a - b);
#else
    return a < b ? 0x80000000u : 0u;
#endif
}

// One byte for each of four columns, the first in the lowest: 1 if the highest bit of `peak` is
// set, 255 if that of `pit` is set, otherwise 0. Both are never set.
CAMBER_DEVICE std::uint32_t bytes_of_signs(const std::uint32_t (&peak)[4],
                                           const std::uint32_t (&pit)[4]) {
#ifdef __CUDA_ARCH__
    // Selector 8 + i replicates the sign of byte i in all eight bits.
    const auto masks = [](const std::uint32_t(&words)[4]) {
        const auto pair = [](std::uint32_t first, std::uint32_t second) {
            std::uint32_t result;
            asm("prmt.b32 %0, %1, %2, 0xfbfb;" : "=r"(result) : "r"(first), "r"(second));
            return result;
        };
        return __byte_perm(pair(words[0], words[1]), pair(words[2], words[3]), 0x5410);
    };
    return masks(pit) | (masks(peak) & 0x01010101u);
#else
    std::uint32_t bytes = 0;
    for (int c = 0; c < 4; ++c) bytes |= ((pit[c] >> 31) * 0xffu | peak[c] >> 31) << 8 * c;
    return bytes;
#endif
}

CAMBER_TARGET_END

// Columns to the left and right of a warp's own, in a stack of layers: for each row, the maximum
// and minimum over every inner layer and the two layers around it. Each lane reads three cells for
// one inner layer and one side; shuffles move the results to the first and the last lane, which
// need them.
CAMBER_WORKLOAD_BEGIN(extrema)

// Assignment of lanes to inner layers, counted from 0, and sides.
template <int layers>
class EdgeLanes {
  public:
    static constexpr int inner = layers - 2;

    CAMBER_DEVICE explicit EdgeLanes(int lane) : lane_(lane) {}
    CAMBER_DEVICE bool wanted() const { return lane_ < 2 * inner; }
    CAMBER_DEVICE bool left() const { return lane_ < inner; }
    CAMBER_DEVICE int layer() const { return lane_ % inner; }

    // Edge triple of inner layer m: the left side in the first lane, the right side in the last.
    CAMBER_DEVICE MinMax of_layer(MinMax own, int m) const {
        const int source = lane_ == 0 ? m : inner + m;
        return {__shfl_sync(0xffffffffu, own.largest, source),
                __shfl_sync(0xffffffffu, own.smallest, source)};
    }

  private:
    int lane_;
};

// Edge triples loaded from memory.
template <int layers, int N, Fit fit>
class EdgeTriples {
  public:
    // (row, column) is the lane's first own cell.
    CAMBER_DEVICE EdgeTriples(const Views<ExtremaStack<layers>>& views, int row, int column)
        : row_(row), rows_(views.rows), columns_(views.columns) {
        const int lane = threadIdx.x % warpSize;
        const EdgeLanes<layers> edge(lane);
        const int first = column - lane * N;
        wanted_ = edge.wanted();
        column_ = edge.left() ? first - 1 : first + warpSize * N;
        Inputs::for_each([&]<class Tag>(Tag tag) {
            const int k = Inputs::template index<Tag> - edge.layer();
#pragma unroll
            for (int l = 0; l < 3; ++l)
                if (k == l) layers_[l] = views.input(tag);
        });
    }

    // Edge triple of the lane's layer and side in row r, counted from the first own row.
    CAMBER_DEVICE MinMax load(int r) const {
        const float below = cell(layers_[0], r);
        const float middle = cell(layers_[1], r);
        const float above = cell(layers_[2], r);
        return joined(joined(MinMax{below, below}, middle), above);
    }

  private:
    using Inputs = typename ExtremaStack<layers>::Inputs;

    CAMBER_DEVICE float cell(const Grid<const float>& layer, int r,
                             Site site = Site::current()) const {
        const bool exists = fit == Fit::exact || (row_ + r < rows_ + 1 && column_ < columns_ + 1);
        return without_sign_of_zero(
            load_if(wanted_ && exists, layer.window(row_, column_), r, 0, 0.0f, site));
    }

    int row_;
    int rows_;
    int columns_;
    int column_;
    bool wanted_;
    Grid<const float> layers_[3];
};

CAMBER_TARGET_END

// Rows of all layers of a stack, in sequence, beginning above the first own row: loaded by the
// lanes that need them, or copied ahead to a ring buffer in shared memory. Both give a lane its own
// N columns and the edge: the columns to the left and right of a warp's own, reduced over the
// layers.
CAMBER_WORKLOAD_BEGIN(extrema)

template <int layers, int N, Fit fit>
class LoadedLayers {
  public:
    using Rule = ExtremaStack<layers>;

    // (row, column) is the lane's first own cell.
    CAMBER_DEVICE LoadedLayers(const Views<Rule>& views, int row, int column)
        : rows_(views, row, column), edges_(views, row, column) {}

    // Takes row r, counted from the first own row.
    CAMBER_DEVICE void take(int r, float (&cells)[layers][N], MinMax& edge) const {
        Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
            auto& layer = cells[Rule::Inputs::template index<Tag>];
            rows_.load(tag, r, layer);
#pragma unroll
            for (int c = 0; c < N; ++c) layer[c] = without_sign_of_zero(layer[c]);
        });
        edge = edges_.load(r);
    }

  private:
    LayerRows<Rule, N, fit> rows_;
    EdgeTriples<layers, N, fit> edges_;
};

// Ring buffer of `slots` rows of all layers for adjacent warps, with a line of 128 bytes on either
// side. One cell on each side would suffice, but copies that do not end at line boundaries are
// slow.
template <int layers, int warps, int slots>
struct LayerRing {
    static constexpr int pack_cells = 4;
    using Packed = Pack<float, pack_cells>;
    static constexpr int packs_beside = 128 / sizeof(Packed);
    static constexpr int packs = 32 * warps + 2 * packs_beside;
    static constexpr std::size_t bytes =
        slots * (layers * packs * sizeof(Packed) + sizeof(std::uint64_t));

    Tile<Packed, slots * layers, packs> rows;
    CopyBarrier arrived[slots];
};

// One lane starts the copies of a row as soon as its slot is free, `slots` rows ahead of their use:
// rows in flight take no registers. All of the block's columns must be on the board.
template <int layers, int warps, int slots>
class CopiedLayers {
  public:
    using Rule = ExtremaStack<layers>;
    using Ring = LayerRing<layers, warps, slots>;
    static constexpr int N = Ring::pack_cells;
    static_assert((slots & (slots - 1)) == 0, "the slot of a row is found by division");

    // (row, column) is the block's first own cell; the block moves down `rows` rows.
    CAMBER_DEVICE CopiedLayers(const Views<Rule>& views, int row, int column, int rows, Ring& ring)
        : views_(views),
          ring_(ring),
          first_row_(row - 1),
          first_column_(column - Ring::packs_beside * N),
          coming_(rows + 2),
          warp_(threadIdx.x / warpSize),
          lane_(threadIdx.x % warpSize) {
        if (threadIdx.x == 0)
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) ring_.arrived[slot].init(1);
        __syncthreads();
        if (warp_ == 0)
#pragma unroll 1
            for (int i = 0; i < slots; ++i) start(i);
    }

    CAMBER_DEVICE void take(int r, float (&cells)[layers][N], MinMax& edge) {
        const int i = r + 1;
        const int slot = i % slots;
        ring_.arrived[slot].wait(i / slots % 2);
#pragma unroll
        for (int l = 0; l < layers; ++l) {
            const typename Ring::Packed own =
                ring_.rows(slot * layers + l, threadIdx.x + Ring::packs_beside);
#pragma unroll
            for (int c = 0; c < N; ++c) cells[l][c] = without_sign_of_zero(own[c]);
        }
        edge = edge_of(slot);
        // All threads must have read the row before another row replaces it.
        if constexpr (warps == 1)
            __syncwarp();
        else
            __syncthreads();
        if (warp_ == 0) start(i + slots);
    }

  private:
    using Edge = EdgeLanes<layers>;

    CAMBER_DEVICE void start(int i) const {
        if (i >= coming_ || !is_chosen_lane()) return;
        const int slot = i % slots;
        ring_.arrived[slot].expect(layers * Ring::packs * sizeof(typename Ring::Packed));
        Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
            bulk_copy(ring_.rows, slot * layers + Rule::Inputs::template index<Tag>,
                      views_.input(tag), first_row_ + i, first_column_, Ring::packs * N,
                      ring_.arrived[slot]);
        });
    }

    CAMBER_DEVICE MinMax edge_of(int slot) const {
        const Edge edge(lane_);
        const Site site = Site::current();
        if (!edge.wanted()) {
            for (int l = 0; l < 3; ++l) skip(site);
            return {};
        }
        const int beside = edge.left() ? warp_ * warpSize - 1 : (warp_ + 1) * warpSize;
        MinMax triple{};
#pragma unroll
        for (int l = 0; l < 3; ++l) {
            const float cell = without_sign_of_zero(
                cell_of_pack(ring_.rows, slot * layers + edge.layer() + l,
                             Ring::packs_beside + beside, edge.left() ? N - 1 : 0, site));
            triple = l == 0 ? MinMax{cell, cell} : joined(triple, cell);
        }
        return triple;
    }

    const Views<Rule>& views_;
    Ring& ring_;
    int first_row_;
    int first_column_;
    int coming_;  // rows
    int warp_;
    int lane_;
};

CAMBER_TARGET_END
