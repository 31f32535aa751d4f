// cluster_tile: n generations per launch in shared memory, by a cluster of blocks. The blocks'
// tiles are stacked and form one tile of the cluster. In each generation a block reads the edge
// rows of the blocks above and below from their shared memory, where n_generations would compute
// them again; only cells around the cluster are computed twice. CUDA C++ Programming Guide,
// "Distributed Shared Memory".
//
// A warp has a stripe of a few rows, which alternates between two tiles; left and right neighbors
// come by shuffles. The first generation reads global memory, the last one writes it.
//
// Expected cost of the blur in blocks of 8 warps with 6 rows of 256 columns each, 8 generations and
// clusters of C blocks, on 132 SMs at 1.98 GHz:
// - Computed cells per stored cell: 48 C / (48 C - 16) by rows, 256 / 240 by columns, which is
//   1.60 for C = 1, 1.28 for 2, 1.16 for 4, 1.11 for 8.
// - Instructions: a warp's loop over a generation has 584 for 6 rows (nvcc 13.0, sm_90), 97 per 256
//   cells. An SM issues 4 per cycle: 10.5 cells per cycle, 2.8 T cells/s in all. Stored cells are
//   1.7, 2.1, 2.4 and 2.5 T for C = 1, 2, 4 and 8.
// - Shared memory: (8 / 6 + 1) 4 bytes per cell, at 128 bytes per cycle: 13.7 cells per cycle.
// - Global memory: 8 bytes per cell in 8 generations, 1 byte per cell and generation: 4.2 T
// cells/s.
// - A generation of a block takes 1170 issue cycles, and 2 blocks are resident. Its barrier begins
//   with a fence, waits for the slowest block of the cluster, and crosses the network between SMs,
//   as the load of an edge row does: 180 cycles each (Luo et al. 2024, "Benchmarking and Dissecting
//   the Nvidia Hopper GPU Architecture"). The other resident block, which belongs to another
//   cluster, runs meanwhile.
// Half to three quarters of that are therefore expected, 1.2 to 1.8 T cells/s for C = 4: more than
// with the same tile in a single block, and less than with streams through registers, which have no
// barrier and compute 1.14 cells per stored cell.
//
// An H100 reaches 1.39, 1.23, 1.19 and 1.16 T cells/s for C = 1, 2, 4 and 8
// (results/h100/blur-many.json): the barrier costs more than the saved cells. nvcc compiles the
// barrier's release to a fence for the memory of the whole GPU. Two blocks that do nothing else
// take
// 467 ns per cluster barrier (ceilings.json there), 925 cycles instead of the expected 180; a block
// barrier takes 14.5 ns.
#pragma once

#include "harness/machine/kernel/cluster.hpp"
#include "variants/stencil/cell_stream.hpp"

CAMBER_TARGET_BEGIN

// Shape: `stripe` rows per warp, `blocks` per cluster.
template <class Rule, int N, int generations, int stripe_, int warps_, int blocks_>
struct ClusterTileOf {
    static constexpr int stripe = stripe_;
    static constexpr int warps = warps_;
    static constexpr int blocks = blocks_;
    static constexpr int block_rows = stripe * warps;
    using Stretch = StretchOf<Rule, N, generations, blocks * block_rows - 2 * generations>;
    static_assert(Stretch::rows > 0 && generations > 1);
    // The first row of the cluster's tile reads one row beyond the generations' reach.
    static_assert(Stretch::halo > generations);

    using Packed = Pack<typename Stretch::Cell, Stretch::pack_cells>;
    static constexpr int row_packs = 32 * Stretch::packs;
    static constexpr int tile_packs = block_rows * row_packs;
    static constexpr std::size_t bytes = 2 * tile_packs * sizeof(Packed);
};

// The two tiles of a block, and access to the tiles of adjacent blocks.
template <class Of>
class ClusterTiles {
  public:
    using Stretch = typename Of::Stretch;
    using Cells = LaneCells<typename Stretch::Cell, Stretch::lane_cells>;

    CAMBER_DEVICE explicit ClusterTiles(int lane)
        : own_(2 * Of::tile_packs), lane_(lane), rank_(static_cast<int>(cluster_rank())) {}

    CAMBER_DEVICE int rank() const { return rank_; }
    // Reads a row of this block.
    CAMBER_DEVICE Cells read(int tile, int row, Site site = Site::current()) const {
        return read_from(own_, tile, row, site);
    }
    // Row above the block's first row. If the cluster ends there, no stored cell depends on the
    // value.
    CAMBER_DEVICE Cells above(int tile, Site site = Site::current()) const {
        const CallPath path(site);
        if (rank_ == 0) return read(tile, 0);
        return read_from(map_shared_rank(own_, static_cast<unsigned>(rank_ - 1)), tile,
                         Of::block_rows - 1, Site::current());
    }
    // Row below the block's last row.
    CAMBER_DEVICE Cells below(int tile, Site site = Site::current()) const {
        const CallPath path(site);
        if (rank_ == Of::blocks - 1) return read(tile, Of::block_rows - 1);
        return read_from(map_shared_rank(own_, static_cast<unsigned>(rank_ + 1)), tile, 0,
                         Site::current());
    }
    CAMBER_DEVICE void write(int tile, int row, const Cells& cells,
                             Site site = Site::current()) const {
#pragma unroll
        for (int p = 0; p < Stretch::packs; ++p) {
            Packed packed;
#pragma unroll
            for (int c = 0; c < Stretch::pack_cells; ++c)
                packed[c] = cells.cell[p * Stretch::pack_cells + c];
            own_(index(tile, row, p), site) = packed;
        }
    }

  private:
    using Packed = typename Of::Packed;

    // Packs of adjacent lanes are adjacent in memory: if a lane's own two packs were adjacent, two
    // lanes would conflict in a bank.
    CAMBER_DEVICE int index(int tile, int row, int p) const {
        return tile * Of::tile_packs + row * Of::row_packs + p * 32 + lane_;
    }
    template <class Shared>
    CAMBER_DEVICE Cells read_from(const Shared& shared, int tile, int row, Site site) const {
        Cells cells;
#pragma unroll
        for (int p = 0; p < Stretch::packs; ++p) {
            const Packed packed = shared(index(tile, row, p), site);
#pragma unroll
            for (int c = 0; c < Stretch::pack_cells; ++c)
                cells.cell[p * Stretch::pack_cells + c] = packed[c];
        }
        return cells;
    }

    DynamicShared<Packed> own_;
    int lane_;
    int rank_;
};

// Computes a warp's stripe, generation by generation.
template <class Rule, class Of, StreamEdge edge>
class StripeOfCluster {
  public:
    using Stretch = typename Of::Stretch;
    using Cells = LaneCells<typename Stretch::Cell, Stretch::lane_cells>;
    static constexpr int generations = Stretch::generations;

    CAMBER_DEVICE StripeOfCluster(const StreamPlace<Rule, Stretch>& place,
                                  const ClusterTiles<Of>& tiles)
        : place_(place),
          tiles_(tiles),
          streamed_(place),
          warp_(threadIdx.y),
          first_(warp_ * Of::stripe),
          first_of_cluster_(tiles.rank() * Of::block_rows + first_) {}

    CAMBER_DEVICE void run() const {
        const auto write = [&](int tile) {
            return
                [this, tile](int i, const Cells& cells) { tiles_.write(tile, first_ + i, cells); };
        };
        {
            const LoadedRows<Rule, Stretch, Of::stripe + 2, edge> rows(place_,
                                                                       first_of_cluster_ - 1);
            advance(
                0, [&](int i) { return rows.loaded(i + 1); }, write(0));
        }
        cluster_barrier();
#pragma unroll 1
        for (int g = 1; g < generations - 1; ++g) {
            const int from = (g - 1) % 2;
            advance(
                g, [&](int i) { return row(from, i); }, write(1 - from));
            cluster_barrier();
        }
        advance(
            generations - 1, [&](int i) { return row(generations % 2, i); },
            [&](int i, const Cells& cells) {
                streamed_.store(cells, first_of_cluster_ + i - generations);
            });
        // No block may end before others have read its rows.
        cluster_barrier();
    }

  private:
    // Row `i` of the stripe, or a row adjacent to it.
    CAMBER_DEVICE Cells row(int tile, int i) const {
        if (i < 0 && warp_ == 0) return tiles_.above(tile);
        if (i == Of::stripe && warp_ == Of::warps - 1) return tiles_.below(tile);
        return tiles_.read(tile, first_ + i);
    }

    // Computes one generation: take(i) returns row i, give(i, cells) receives it one generation
    // later.
    template <class Take, class Give>
    CAMBER_DEVICE void advance(int g, const Take& take, const Give& give) const {
        using Beside = LaneCellsBeside<typename Stretch::Cell, Stretch::lane_cells>;
        const auto parameters = later<Rule>(place_.views.parameters, g);
        PassingGeneration<Rule, Stretch::lane_cells> generation;
#pragma unroll
        for (int i = -1; i <= Of::stripe; ++i) {
            Cells cells = take(i);
            generation.pass(cells, Beside::of(cells), place_.views, parameters);
            if (i < 1) continue;
            if constexpr (edge == StreamEdge::dead)
                streamed_.keep_outside(cells, place_.first_coming() + first_of_cluster_ + i - 1);
            give(i - 1, cells);
        }
    }

    const StreamPlace<Rule, Stretch>& place_;
    const ClusterTiles<Of>& tiles_;
    StreamedRows<Rule, Stretch, edge> streamed_;
    int warp_;
    int first_;             // of the stripe, in the block
    int first_of_cluster_;  // of the cluster, including the generations' reach
};

template <class Rule, class Of, Boundary boundary>
__global__ void __launch_bounds__(32 * Of::warps, 2) cluster_tile_kernel(const Views<Rule> views) {
    using Stretch = typename Of::Stretch;
    constexpr StreamEdge at_edge =
        boundary == Boundary::torus ? StreamEdge::torus : StreamEdge::dead;
    const StreamPlace<Rule, Stretch> place(views, blockIdx.y, blockIdx.x);
    const ClusterTiles<Of> tiles(place.lane);
    // Equal for all blocks of a cluster.
    if (place.is_inside(boundary))
        StripeOfCluster<Rule, Of, StreamEdge::none>(place, tiles).run();
    else
        StripeOfCluster<Rule, Of, at_edge>(place, tiles).run();
}

struct ClusterTile {
    static constexpr TechniqueInfo info{
        "cluster_tile",
        "n generations per launch in the tiles of a cluster, edges read from others",
        "CUDA C++ Programming Guide, \"Distributed Shared Memory\"", Family::several_generations};

    // Includes single blocks, which compute all surrounding cells themselves, to show what clusters
    // save.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        static_assert(iterates_one_field<Rule>() && Rule::Inputs::radius == 1);
        constexpr int N = widest_pack<Rule>();
        catalogue.add(info, variant<Rule, 2 * N, 8, 6, 4>());
        catalogue.add(info, variant<Rule, 2 * N, 8, 6, 8>());
        // Further shapes only for rules with partial sums, which take few registers: kernels take
        // long to compile.
        if constexpr (sums_by_rows<Rule>()) {
            catalogue.add(info, variant<Rule, 2 * N, 8, 6, 1>());
            catalogue.add(info, variant<Rule, 2 * N, 8, 6, 2>());
            catalogue.add(info, variant<Rule, 2 * N, 4, 6, 4>());
            catalogue.add(info, variant<Rule, N, 8, 12, 4>());
        }
    }

  private:
    template <class Rule, int N, int generations, int stripe, int blocks>
    static StencilVariant<Rule> variant() {
        using Of = ClusterTileOf<Rule, N, generations, stripe, 8, blocks>;
        using Stretch = typename Of::Stretch;
        constexpr Region block{32, Of::warps};
        Shape shape = stream_shape<Stretch>();
        shape.block = block;
        shape.elements_per_thread = Stretch::lane_cells * Of::stripe;
        shape.shared_bytes = Of::bytes;
        shape.path = block.name() + "/v" + std::to_string(Stretch::lane_cells) + "/n" +
                     std::to_string(generations) + "/r" + std::to_string(stripe) + "/c" +
                     std::to_string(blocks);
        return {.shape = shape,
                .kernel = {cluster_tile_kernel<Rule, Of, Boundary::dead>},
                .torus_kernel = {cluster_tile_kernel<Rule, Of, Boundary::torus>},
                .dynamic_shared = Of::bytes,
                .cluster = blocks,
                .needs = {cluster_capability, "thread-block clusters"}};
    }
};

CAMBER_TARGET_END
