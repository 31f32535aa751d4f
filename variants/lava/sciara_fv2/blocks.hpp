// Techniques of SCIARA-fv2 in addition to the common ones: further blocks of the plain kernel, and
// tiles without a halo.
#pragma once

#include "variants/techniques/techniques.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// The technique global in the square blocks that users of SCIARA compare.
using GlobalSquares = GlobalIn<Region{8, 8}, Region{32, 32}>;

// Tiles for blocks of BX x BY threads are in dynamic shared memory, which may be larger than static
// shared memory.
template <int BX, int BY>
inline constexpr bool has_dynamic_tiles = BX* BY == 1024;

// Bytes of the tiles of all inputs before this one.
template <class Rule, class Before, int BX, int BY>
CAMBER_HD constexpr int tile_offset() {
    int offset = 0;
    int i = 0;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        const bool before = i++ < Rule::Inputs::template index<Before>;
        if (before && Tag::radius > 0)
            offset += static_cast<int>(sizeof(typename Tag::Type)) * BX * BY;
    });
    return offset;
}

// Reads neighbors in the same block from shared memory and all others from global memory.
template <class Rule, int BX, int BY>
__global__ void __launch_bounds__(BX* BY) ringless_tile_kernel(const Views<Rule> views) {
    constexpr bool dynamic = has_dynamic_tiles<BX, BY>;
    using Tiles = typename Rule::Inputs::template Map<TileOf<BY, BX>::template Type>;
    [[maybe_unused]] __shared__ std::conditional_t<dynamic, NotStaged, Tiles> tiles;
    const auto staged = [&]<class Tag>(Tag, int r, int c, Site site) -> decltype(auto) {
        if constexpr (dynamic) {
            constexpr int offset = tile_offset<Rule, Tag, BX, BY>();
            return DynamicShared<typename Tag::Type>(BX * BY, offset)(r * BX + c, site);
        } else {
            return get<Rule::Inputs::template index<Tag>>(tiles)(r, c, site);
        }
    };
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0) {
            const Loader<Fit::overhang, Rule, Tag> load(views, tag, first_row, first_column);
            staged(tag, y, x, Site::current()) = load(y, x);
        }
    });
    __syncthreads();

    const int row = first_row + y;
    const int column = first_column + x;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (Tag::radius > 0) {
            // Two instructions, of which each lane executes one.
            const Site elsewhere = Site::current();
            const int r = y + drow;
            const int c = x + dcol;
            if (r >= 0 && r < BY && c >= 0 && c < BX) {
                skip(elsewhere);
                return staged(tag, r, c, site);
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
            catalogue.add(info, variant<Rule, 32, 32>());
        }
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> variant() {
        const Region others = BX == 8 ? Region{16, 16} : BY == 32 ? Region{32, 8} : Region{BX, BY};
        const std::size_t bytes = staged_bytes<Rule>({BX, BY});
        return {.shape = {.block = {BX, BY},
                          .halo = Rule::Inputs::radius,
                          .alignment = 128,
                          .shared_bytes = bytes},
                .kernel = {ringless_tile_kernel<Rule, BX, BY>},
                .stand_in = {"halo", others.name(), 128},
                .dynamic_shared = has_dynamic_tiles<BX, BY> ? bytes : 0};
    }
};

CAMBER_TARGET_END
