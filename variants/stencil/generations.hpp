// Several generations in one launch: the tile has a halo of radius x generations cells. Each
// generation computes a region smaller by the radius on every side, from tile to tile, until the
// last one is written to global memory (Balasalle 2011, sections 4.3.3 and 5.2.3).
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/walk.hpp"

CAMBER_TARGET_BEGIN

// Tiles of fields that do not change while the rule iterates the field that it writes.
template <class Rule, int Height, int Width>
struct UnchangingTiles {
    template <class Tag>
    using Type = std::conditional_t<std::is_same_v<Tag, typename IteratedInput<Rule>::Tag>,
                                    NotStaged, Tile<typename Tag::Type, Height, Width>>;
    typename Rule::Inputs::template Map<Type> tiles;
};

// Tiles of one block, from the staged input to the last generation.
template <class Rule, int BX, int BY, int Elements, int Generations, class Load, class Compute,
          Boundary boundary, Fit fit>
class TiledGenerations {
  public:
    using Tag = typename IteratedInput<Rule>::Tag;
    using Cell = typename Tag::Type;
    static constexpr int radius = Rule::Inputs::radius;
    static constexpr int width = Elements * BX;
    static constexpr int full_ring = radius * Generations;

    template <int ring>
    using TileFor = Tile<Cell, BY + 2 * ring, width + 2 * ring>;
    using Unchanging = UnchangingTiles<Rule, BY + 2 * full_ring, width + 2 * full_ring>;

    CAMBER_DEVICE TiledGenerations(const Views<Rule>& views, Unchanging& unchanging)
        : views_(views),
          unchanging_(unchanging),
          first_row_(blockIdx.y * BY),
          first_column_(blockIdx.x * width) {}

    // Stages the inputs with a halo of `full_ring` cells.
    template <class To>
    CAMBER_DEVICE void stage(To& to) const {
        Rule::Inputs::for_each([&]<class Any>(Any tag) {
            const Loader<fit, Rule, Any> load(views_, tag, first_row_ - full_ring,
                                              first_column_ - full_ring);
            if constexpr (std::is_same_v<Any, Tag>) {
                Load::template each<full_ring>([&](int r, int c) { to(r, c) = load(r, c); });
            } else {
                auto& tile = get<Rule::Inputs::template index<Any>>(unchanging_.tiles);
                Load::template each<full_ring>([&](int r, int c) { tile(r, c) = load(r, c); });
            }
        });
        __syncthreads();
    }

    // Computes the remaining generations; `from` contains values on a halo of `ring` cells.
    template <int ring, class From, class To>
    CAMBER_DEVICE void advance(From& from, To& to) const {
        if constexpr (ring == radius) {
            finish(from);
        } else {
            constexpr int next_ring = ring - radius;
            Compute::template each<next_ring>([&](int r, int c) {
                const Cell value = next<ring>(from, r + radius, c + radius);
                // Cells beyond the edge keep their values; the rule could make them live.
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
    // Value of the cell at (r, c) of `from` in the next generation.
    template <int ring, class From>
    CAMBER_DEVICE Cell next(From& from, int r, int c, Site site = Site::current()) const {
        constexpr int inset = full_ring - ring;  // of `from` within the tiles of other fields
        const auto read = [&]<class Any>(Any, int dcol, int drow, Site at) -> typename Any::Type {
            if constexpr (std::is_same_v<Any, Tag>)
                return from(r + drow, c + dcol, at);
            else
                return get<Rule::Inputs::template index<Any>>(unchanging_.tiles)(
                    r + drow + inset, c + dcol + inset, at);
        };
        return apply(views_, read, later<Rule>(views_.parameters, inset / radius), site);
    }

    template <class From>
    CAMBER_DEVICE void finish(From& from) const {
        const int row = first_row_ + threadIdx.y;
#pragma unroll
        for (int e = 0; e < Elements; ++e) {
            const int c = threadIdx.x + e * BX;
            if (on_board<fit>(views_, row, first_column_ + c))
                store(views_, row, first_column_ + c,
                      next<radius>(from, threadIdx.y + radius, c + radius));
        }
    }

    const Views<Rule>& views_;
    Unchanging& unchanging_;
    int first_row_;
    int first_column_;
};

template <class Rule, class Tiled>
__global__ void generations_kernel(const Views<Rule> views) {
    constexpr int ring = Tiled::full_ring;
    __shared__ typename Tiled::template TileFor<ring> even;
    __shared__ typename Tiled::template TileFor<ring - Tiled::radius> odd;
    const auto run = [&](typename Tiled::Unchanging& unchanging) {
        const Tiled tiled(views, unchanging);
        tiled.stage(even);
        tiled.template advance<ring>(even, odd);
    };
    if constexpr (Rule::Inputs::count > 1) {
        __shared__ typename Tiled::Unchanging unchanging;
        run(unchanging);
    } else {
        typename Tiled::Unchanging none;
        run(none);
    }
}

template <class Rule, int BX, int BY, int Elements, int Generations, class Load, class Compute,
          Boundary boundary>
KernelChoice<Rule> generations_kernels() {
    using Overhang = TiledGenerations<Rule, BX, BY, Elements, Generations, Load, Compute, boundary,
                                      Fit::overhang>;
    using Exact =
        TiledGenerations<Rule, BX, BY, Elements, Generations, Load, Compute, boundary, Fit::exact>;
    return {generations_kernel<Rule, Overhang>, generations_kernel<Rule, Exact>};
}

template <class Rule, int BX, int BY, int Elements, int Generations, class Load, class Compute>
StencilVariant<Rule> generations_variant(int alignment) {
    constexpr int radius = Rule::Inputs::radius;
    constexpr int ring = radius * Generations;
    const auto cells = [](int tile_ring) {
        return static_cast<std::size_t>(Elements * BX + 2 * tile_ring) * (BY + 2 * tile_ring);
    };
    using Cell = typename IteratedInput<Rule>::Tag::Type;
    std::size_t bytes = (cells(ring) + cells(ring - radius)) * sizeof(Cell);
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        if (!std::is_same_v<Tag, typename IteratedInput<Rule>::Tag>)
            bytes += cells(ring) * sizeof(typename Tag::Type);
    });
    return {.shape = {.block = {BX, BY},
                      .region = {Elements * BX, BY},
                      .halo = ring,
                      .alignment = alignment,
                      .elements_per_thread = Elements,
                      .generations = Generations,
                      .shared_bytes = bytes},
            .kernel = generations_kernels<Rule, BX, BY, Elements, Generations, Load, Compute,
                                          Boundary::dead>(),
            .torus_kernel = generations_kernels<Rule, BX, BY, Elements, Generations, Load, Compute,
                                                torus_if_any<Rule>>()};
}

CAMBER_TARGET_END
