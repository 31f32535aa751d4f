// l1_preferred, shared_preferred: the kernels of halo and shared_tile, launched with the wish that
// as much of a multiprocessor's memory as possible be L1 cache, or shared memory. The MAGFLOW
// authors' cache-preference experiment (Bilotta et al. 2011) with today's means: the wish is
// cudaFuncAttributePreferredSharedMemoryCarveout, and what the device made of it stands beside the
// kernel's times as shared_memory_bytes.
#pragma once

#include "variants/techniques/halo.hpp"
#include "variants/techniques/shared_tile.hpp"

CAMBER_TARGET_BEGIN

struct CarveOuts {
    static constexpr TechniqueInfo l1_info{
        "l1_preferred", "halo and shared_tile with as much L1 cache as possible",
        "CUDA C++ Programming Guide, shared-memory carve-out; Bilotta et al. 2011"};
    static constexpr TechniqueInfo shared_info{
        "shared_preferred", "halo and shared_tile with as much shared memory as possible",
        "CUDA C++ Programming Guide, shared-memory carve-out; Bilotta et al. 2011"};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        add_all(catalogue, l1_info, CarveOut::l1);
        add_all(catalogue, shared_info, CarveOut::shared);
    }

  private:
    template <class Rule>
    static void add_all(Catalogue<Rule>& catalogue, const TechniqueInfo& technique,
                        CarveOut carve_out) {
        add_one(catalogue, technique, carve_out, "halo/", Halo::variant<Rule>({64, 4}, 128));
        if constexpr (Rule::Inputs::radius > 0)
            add_one(catalogue, technique, carve_out, "shared_tile/",
                    shared_tile_variant<Rule, 64, 4, 1>(128));
    }

    template <class Rule>
    static void add_one(Catalogue<Rule>& catalogue, const TechniqueInfo& technique,
                        CarveOut carve_out, const char* kernel, StencilVariant<Rule> variant) {
        variant.path = kernel + variant.path;
        variant.carve_out = carve_out;
        catalogue.add(technique, variant);
    }
};

CAMBER_TARGET_END
