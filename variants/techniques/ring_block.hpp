// ring_block: a tile with its halo, one thread per staged cell. Threads at the rim of the block
// only stage their cell and compute nothing. No thread loads several cells, but 60 of 256 threads
// in a block of 16x16 are idle.
#pragma once

#include "variants/techniques/shared_tile.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, int BX, int BY>
__global__ void ring_block_kernel(const Views<Rule> views) {
    static_assert(Rule::Inputs::radius == 1);
    __shared__ typename Rule::Inputs::template Map<TileOf<BY, BX>::template Type> tiles;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = static_cast<int>(blockIdx.y) * (BY - 2) + y - 1;
    const int column = static_cast<int>(blockIdx.x) * (BX - 2) + x - 1;
    const bool inside = views.inside(row, column);
    Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0)
            get<Rule::Inputs::template index<Tag>>(tiles)(y, x) =
                load_if(inside, views.input(tag), row, column, Tag::outside());
    });
    __syncthreads();

    if (!inside || x == 0 || x == BX - 1 || y == 0 || y == BY - 1) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (Tag::radius > 0)
            return get<Rule::Inputs::template index<Tag>>(tiles)(y + drow, x + dcol, site);
        else
            return views.input(tag)(row, column, site);
    };
    store(views, row, column, apply(views, read));
}

// Only for boards that are not a torus.
struct RingBlock {
    static constexpr TechniqueInfo info{
        "ring_block", "tile and halo staged by a thread per cell of both",
        "public GPU versions of SCIARA-fv2; tiled with a halo", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius > 0) {
            catalogue.add(info, variant<Rule, 8, 8>());
            catalogue.add(info, variant<Rule, 16, 16>());
            catalogue.add(info, variant<Rule, 32, 8>());
        }
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> variant() {
        const Region block{BX, BY};
        return {.shape = {.block = block,
                          .region = {BX - 2, BY - 2},
                          .shared_bytes = staged_bytes<Rule>(block)},
                .kernel = {ring_block_kernel<Rule, BX, BY>}};
    }
};

CAMBER_TARGET_END
