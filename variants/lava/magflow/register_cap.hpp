// register_cap: like halo, with a launch bound that limits a thread to 32 registers. Below the
// limit at which another block fits, MAGFLOW's flux kernel gained 5 % on a GTX 280 (33 registers to
// 32) and nothing on a 9500 GT. Bilotta et al. 2011, section 6.1.
#pragma once

#include "variants/techniques/techniques.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// 8 blocks of 256 threads share 65536 registers.
template <class Rule>
__global__ void __launch_bounds__(256, 8) register_cap_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

struct RegisterCap {
    static constexpr TechniqueInfo info{"register_cap", "as halo, with 32 registers per thread",
                                        "Bilotta et al. 2011, section 6.1", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{64, 1}, Region{64, 4}})
            catalogue.add(
                info, {.shape = {.block = block, .halo = Rule::Inputs::radius, .alignment = 128},
                       .kernel = {register_cap_kernel<Rule>}});
    }
};

CAMBER_TARGET_END
