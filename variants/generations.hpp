// Several generations in one launch: the tile has a ring of radius x generations cells, and each
// generation computes a region smaller by the radius on every side, from tile to tile, until the
// last one goes to global memory (Balasalle 2011, sections 4.3.3 and 5.2.3).
#pragma once

#include "variants/catalogue.hpp"
#include "variants/walk.hpp"

CAMBER_TARGET_BEGIN

// The tiles of one block, from the staged input to the last generation.
template <class Rule, int BX, int BY, int Elements, class Load, class Compute, Boundary boundary,
          Fit fit>
class TiledGenerations {
  public:
    using Tag = typename Rule::Inputs::template At<0>;
    using Cell = typename Tag::Type;
    static constexpr int radius = Rule::Inputs::radius;
    static constexpr int width = Elements * BX;

    template <int ring>
    using TileFor = Tile<Cell, BY + 2 * ring, width + 2 * ring>;

    CAMBER_DEVICE explicit TiledGenerations(const Views<Rule>& views)
        : views_(views), first_row_(blockIdx.y * BY), first_column_(blockIdx.x * width) {}

    // Stages the input with its ring of `ring` cells.
    template <int ring, class To>
    CAMBER_DEVICE void stage(To& to) const {
        const Loader<fit, Rule, Tag> load(views_, Tag{}, first_row_ - ring, first_column_ - ring);
        Load::template each<ring>([&](int r, int c) { to(r, c) = load(r, c); });
        __syncthreads();
    }

    // Computes the remaining generations: `from` has the values on a ring of `ring` cells.
    template <int ring, class From, class To>
    CAMBER_DEVICE void advance(From& from, To& to) const {
        if constexpr (ring == radius) {
            finish(from);
        } else {
            constexpr int next_ring = ring - radius;
            Compute::template each<next_ring>([&](int r, int c) {
                const Cell value = next(from, r + radius, c + radius);
                // Cells beyond the edge stay what they are: else cells would be born out there.
                const bool outside =
                    boundary == Boundary::dead &&
                    !views_.inside(first_row_ - next_ring + r, first_column_ - next_ring + c);
                to(r, c) = outside ? Tag::outside() : value;
            });
            __syncthreads();
            const CallPath deeper;  // the lines above, once more for the next generation
            advance<next_ring>(to, from);
        }
    }

  private:
    template <class From>
    CAMBER_DEVICE Cell next(From& from, int r, int c, Site site = Site::current()) const {
        const auto read = [&](Tag, int dcol, int drow, Site at) -> Cell {
            return from(r + drow, c + dcol, at);
        };
        return apply(views_, read, site);
    }

    template <class From>
    CAMBER_DEVICE void finish(From& from) const {
        const int row = first_row_ + threadIdx.y;
#pragma unroll
        for (int e = 0; e < Elements; ++e) {
            const int c = threadIdx.x + e * BX;
            if (on_board<fit>(views_, row, first_column_ + c))
                store(views_, row, first_column_ + c, next(from, threadIdx.y + radius, c + radius));
        }
    }

    const Views<Rule>& views_;
    int first_row_;
    int first_column_;
};

template <class Rule, int Generations, class Tiled>
__global__ void generations_kernel(const Views<Rule> views) {
    constexpr int ring = Tiled::radius * Generations;
    __shared__ typename Tiled::template TileFor<ring> even;
    __shared__ typename Tiled::template TileFor<ring - Tiled::radius> odd;
    const Tiled tiled(views);
    tiled.template stage<ring>(even);
    tiled.template advance<ring>(even, odd);
}

template <class Rule, int BX, int BY, int Elements, int Generations, class Load, class Compute,
          Boundary boundary>
KernelChoice<Rule> generations_kernels() {
    using Overhang =
        TiledGenerations<Rule, BX, BY, Elements, Load, Compute, boundary, Fit::overhang>;
    using Exact = TiledGenerations<Rule, BX, BY, Elements, Load, Compute, boundary, Fit::exact>;
    return {generations_kernel<Rule, Generations, Overhang>,
            generations_kernel<Rule, Generations, Exact>};
}

template <class Rule, int BX, int BY, int Elements, int Generations, class Load, class Compute>
StencilVariant<Rule> generations_variant(int alignment) {
    constexpr int radius = Rule::Inputs::radius;
    constexpr int ring = radius * Generations;
    const auto tile_bytes = [](int tile_ring) {
        return staged_bytes<Rule>({Elements * BX + 2 * tile_ring, BY + 2 * tile_ring});
    };
    const Region block{BX, BY};
    return {.path = block.name(),
            .block = block,
            .region = {Elements * BX, BY},
            .halo = ring,
            .alignment = alignment,
            .elements_per_thread = Elements,
            .generations = Generations,
            .shared_bytes = tile_bytes(ring) + tile_bytes(ring - radius),
            .kernel = generations_kernels<Rule, BX, BY, Elements, Generations, Load, Compute,
                                          Boundary::dead>(),
            .torus_kernel = generations_kernels<Rule, BX, BY, Elements, Generations, Load, Compute,
                                                Boundary::torus>()};
}

CAMBER_TARGET_END
