// The techniques of SCIARA-fv2 beside the common ones: further blocks of the plain kernel, and
// tiles without a ring.
#pragma once

#include "variants/techniques/techniques.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// global in the square blocks that users of SCIARA compare.
using GlobalSquares = GlobalIn<Region{8, 8}, Region{32, 32}>;

// A neighbour of the same block is read from shared memory, any other from global memory.
template <class Rule, int BX, int BY>
__global__ void ringless_tile_kernel(const Views<Rule> views) {
    __shared__ typename Rule::Inputs::template Map<TileOf<BY, BX>::template Type> tiles;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0) {
            const Loader<Fit::overhang, Rule, Tag> load(views, tag, first_row, first_column);
            get<Rule::Inputs::template index<Tag>>(tiles)(y, x) = load(y, x);
        }
    });
    __syncthreads();

    const int row = first_row + y;
    const int column = first_column + x;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (Tag::radius > 0) {
            // Two instructions, of which a lane runs one.
            const Site elsewhere = Site::current();
            const int r = y + drow;
            const int c = x + dcol;
            if (r >= 0 && r < BY && c >= 0 && c < BX) {
                skip(elsewhere);
                return get<Rule::Inputs::template index<Tag>>(tiles)(r, c, site);
            }
            skip(site);
            return views.input(tag)(row + drow, column + dcol, elsewhere);
        } else {
            return views.input(tag)(row, column, site);
        }
    };
    store(views, row, column, apply(views, read));
}

struct RinglessTile {
    static constexpr TechniqueInfo info{
        "ringless_tile", "cells staged in shared memory, neighbours of other blocks not",
        "public GPU versions of SCIARA-fv2; a tiling without a halo", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius > 0) {
            catalogue.add(info, variant<Rule, 8, 8>());
            catalogue.add(info, variant<Rule, 16, 16>());
            catalogue.add(info, variant<Rule, 64, 4>());
        }
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> variant() {
        const Region others = BX == 8 ? Region{16, 16} : Region{BX, BY};
        return {.shape = {.block = {BX, BY},
                          .halo = Rule::Inputs::radius,
                          .alignment = 128,
                          .shared_bytes = staged_bytes<Rule>({BX, BY})},
                .kernel = {ringless_tile_kernel<Rule, BX, BY>},
                .stand_in = {"halo", others.name(), 128}};
    }
};

CAMBER_TARGET_END
