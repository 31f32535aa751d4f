// Inputs of a block of cells and its halo in shared memory, as in the "hybrid memory" of the thesis
// on SCIARA-fv3, which stages data that a kernel reads at least three times.
#pragma once

#include "variants/lava/sciara_fv3/pipelines.hpp"
#include "variants/stencil/walk.hpp"
#include "variants/techniques/shared_tile.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// A tile for each input that the rule reads from neighbors.
template <class Rule, int BX, int BY>
using BlockTiles = typename Rule::Inputs::template Map<TileOf<BY + 2, BX + 2>::template Type>;

// Fills the tiles of the block that begins at this cell. Called by all threads of the block; a
// barrier must separate it from reads.
template <int BX, int BY, class Rule, class Tiles>
CAMBER_DEVICE void stage_block(const Views<Rule>& views, Tiles& tiles, int first_row,
                               int first_column) {
    using Inputs = typename Rule::Inputs;
    Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0) {
            auto& tile = get<Inputs::template index<Tag>>(tiles);
            ConventionalWalk<BX, BY, 1, true>::template each<1>([&](int r, int c) {
                tile(r, c) = read_beyond_edge<Boundary::dead>(
                    views, tag, views.input(tag), first_row + r - 1, first_column + c - 1,
                    Site::current());
            });
        }
    });
}

// Reads the inputs of this thread's cell: those of neighbors from the tiles.
template <class Rule, class Tiles>
struct StagedRead {
    const Views<Rule>& views;
    const Tiles& tiles;
    int row;
    int column;

    template <class Tag>
    CAMBER_DEVICE typename Tag::Type operator()(Tag tag, int dcol, int drow, Site site) const {
        if constexpr (Tag::radius > 0)
            return get<Rule::Inputs::template index<Tag>>(tiles)(threadIdx.y + 1 + drow,
                                                                 threadIdx.x + 1 + dcol, site);
        else
            return views.input(tag)(row, column, site);
    }
};

CAMBER_TARGET_END
