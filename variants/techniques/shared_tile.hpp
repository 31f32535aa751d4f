// shared_tile: the block stages its cells and their halo in shared memory, then computes from
// there. Balasalle 2011, section 5.2.2: staging (Figure 5.6), alignment of the rows (Figure 5.9),
// rectangular blocks (Figure 5.11).
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/walk.hpp"
#include "variants/techniques/halo.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, int BX, int BY, int Elements, Fit fit>
__global__ void shared_tile_kernel(const Views<Rule> views) {
    constexpr int ring = Rule::Inputs::radius;
    constexpr int width = Elements * BX;
    using Tiles =
        typename Rule::Inputs::template Map<TileOf<BY + 2 * ring, width + 2 * ring>::template Type>;
    __shared__ Tiles tiles;

    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * width;
    Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0) {
            auto& tile = get<Rule::Inputs::template index<Tag>>(tiles);
            const Loader<fit, Rule, Tag> load(views, tag, first_row - ring, first_column - ring);
            ConventionalWalk<BX, BY, Elements, true>::template each<ring>(
                [&](int r, int c) { tile(r, c) = load(r, c); });
        }
    });
    __syncthreads();

    const int row = first_row + threadIdx.y;
#pragma unroll
    for (int e = 0; e < Elements; ++e) {
        const int tile_column = threadIdx.x + e * BX;
        const int column = first_column + tile_column;
        if (!on_board<fit>(views, row, column)) continue;
        const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) ->
            typename Tag::Type {
                if constexpr (Tag::radius > 0)
                    return get<Rule::Inputs::template index<Tag>>(tiles)(
                        threadIdx.y + ring + drow, tile_column + ring + dcol, site);
                else
                    return views.input(tag)(row, column, site);
            };
        store(views, row, column, apply(views, read));
    }
}

template <class Rule, int BX, int BY, int Elements>
StencilVariant<Rule> shared_tile_variant(int alignment) {
    constexpr int ring = Rule::Inputs::radius;
    return {
        .shape = {.block = {BX, BY},
                  .region = {Elements * BX, BY},
                  .halo = ring,
                  .alignment = alignment,
                  .elements_per_thread = Elements,
                  .shared_bytes = staged_bytes<Rule>({Elements * BX + 2 * ring, BY + 2 * ring})},
        .kernel = {shared_tile_kernel<Rule, BX, BY, Elements, Fit::overhang>,
                   shared_tile_kernel<Rule, BX, BY, Elements, exact_if_short<Rule>>}};
}

struct SharedTile {
    static constexpr TechniqueInfo info{
        "shared_tile", "cells and halo staged in shared memory, halo loaded by edge threads",
        "Balasalle 2011, section 5.2.2, Figures 5.6 and 5.9", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius == 0) {
            catalogue.leave_out(info, "reads no neighbours: there is nothing to share");
        } else {
            for (const int alignment : {unaligned, 32, 64, 128})
                catalogue.add(info, shared_tile_variant<Rule, 16, 16, 1>(alignment));
            for (const int alignment : {unaligned, 128}) {
                catalogue.add(info, shared_tile_variant<Rule, 64, 4, 1>(alignment));
                if constexpr (!is_large<Rule>()) {
                    catalogue.add(info, shared_tile_variant<Rule, 32, 8, 1>(alignment));
                    catalogue.add(info, shared_tile_variant<Rule, 128, 2, 1>(alignment));
                }
            }
        }
    }
};

// two_element: like shared_tile, but every thread loads and computes two cells, one block width
// apart. Balasalle 2011, sections 4.3.1 and 5.2.2 (Figure 5.12).
struct TwoElement {
    static constexpr TechniqueInfo info{
        "two_element", "shared tile twice as wide as the block, two cells per thread",
        "Balasalle 2011, section 5.2.2, Figure 5.12", Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const int alignment : {unaligned, 128}) {
            catalogue.add(info, shared_tile_variant<Rule, 16, 16, 2>(alignment));
            catalogue.add(info, shared_tile_variant<Rule, 64, 4, 2>(alignment));
        }
        if constexpr (!is_large<Rule>()) {
            catalogue.add(info, shared_tile_variant<Rule, 32, 8, 2>(128));
            catalogue.add(info, shared_tile_variant<Rule, 128, 2, 2>(128));
        }
    }
};

// l1_preferred, shared_preferred: the kernels of halo and shared_tile, launched with a preference
// for as much L1 cache, or as much shared memory, as possible. It repeats the cache-preference
// experiment of the MAGFLOW authors (Bilotta et al. 2011) with
// cudaFuncAttributePreferredSharedMemoryCarveout. Results report the actual carve-out beside the
// kernel times as shared_memory_bytes.
struct CarveOutWish {
    static constexpr TechniqueInfo l1_info{
        "l1_preferred", "halo and shared_tile with as much L1 cache as possible",
        "CUDA C++ Programming Guide, shared-memory carve-out; Bilotta et al. 2011",
        Family::global_memory};
    static constexpr TechniqueInfo shared_info{
        "shared_preferred", "halo and shared_tile with as much shared memory as possible",
        "CUDA C++ Programming Guide, shared-memory carve-out; Bilotta et al. 2011",
        Family::shared_memory};
    static constexpr std::array<CarveOut, 2> both{CarveOut::l1, CarveOut::shared};

    // Variant with a preference; `variant` belongs to the technique `kernel`.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue, CarveOut wish, const TechniqueInfo& kernel,
                    StencilVariant<Rule> variant) {
        variant.shape.path = std::string(kernel.name) + "/" + variant.shape.path;
        variant.carve_out = wish;
        catalogue.add(wish == CarveOut::l1 ? l1_info : shared_info, variant);
    }
};

template <int BX, int BY>
struct CarveOutsIn {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const CarveOut wish : CarveOutWish::both) {
            CarveOutWish::add(catalogue, wish, Halo::info, Halo::variant<Rule>({BX, BY}, 128));
            if constexpr (Rule::Inputs::radius > 0)
                CarveOutWish::add(catalogue, wish, SharedTile::info,
                                  shared_tile_variant<Rule, BX, BY, 1>(128));
        }
    }
};
using CarveOuts = CarveOutsIn<64, 4>;

CAMBER_TARGET_END
