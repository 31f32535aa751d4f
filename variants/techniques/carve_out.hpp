// l1_preferred, shared_preferred: the kernels of halo and shared_tile, launched with a preference
// for as much L1 cache, or as much shared memory, as possible. It repeats the cache-preference
// experiment of the MAGFLOW authors (Bilotta et al. 2011) with
// cudaFuncAttributePreferredSharedMemoryCarveout. Results report the actual carve-out beside the
// kernel times as shared_memory_bytes.
#pragma once

#include "variants/techniques/halo.hpp"
#include "variants/techniques/shared_tile.hpp"

CAMBER_TARGET_BEGIN

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
