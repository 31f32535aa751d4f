// Rows of all layers of a stack, one after another from above the first one on: loaded by the lanes
// that need them, or copied ahead into a ring in shared memory. Either gives a lane its own N
// columns and the edge: the columns to the left and right of a warp's own, reduced over the layers.
#pragma once

#include "harness/machine/kernel/bulk_copy.hpp"
#include "variants/image/extrema/edge_triples.hpp"
#include "variants/image/extrema/layer_rows.hpp"
#include "variants/image/extrema/sign_words.hpp"
#include "workloads/image/extrema/rule.hpp"

CAMBER_WORKLOAD_BEGIN(extrema)

template <int layers, int N, Fit fit>
class LoadedLayers {
  public:
    using Rule = ExtremaStack<layers>;

    // (row, column): the lane's first own cell.
    CAMBER_DEVICE LoadedLayers(const Views<Rule>& views, int row, int column)
        : rows_(views, row, column), edges_(views, row, column) {}

    // Row r, counted from the first own one.
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

// A ring of `slots` rows of all layers for warps side by side, with a line of 128 bytes beyond
// either side. One cell there would be enough, but copies whose ends lie within lines are slow.
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
// what is under way takes no registers. The board has all of the block's columns.
template <int layers, int warps, int slots>
class CopiedLayers {
  public:
    using Rule = ExtremaStack<layers>;
    using Ring = LayerRing<layers, warps, slots>;
    static constexpr int N = Ring::pack_cells;
    static_assert((slots & (slots - 1)) == 0, "the slot of a row is found by division");

    // (row, column): the block's first own cell; it goes down `rows` rows.
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
        // All have read the row before another row replaces it.
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
