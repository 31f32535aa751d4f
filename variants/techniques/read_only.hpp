// read_only: like halo, but all loads use the read-only data cache (LDG.NC, which the compiler also
// uses for `const __restrict__` pointers). halo is its baseline: its pointers are not restricted,
// so its loads are plain. CUDA C++ Programming Guide, "Read-Only Data Cache Load Function".
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule>
__global__ void read_only_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag).read_only(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

struct ReadOnly {
    static constexpr TechniqueInfo info{
        "read_only", "as halo, loads through the read-only data cache",
        "CUDA C++ Programming Guide, read-only data cache", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{16, 16}, Region{64, 4}})
            catalogue.add(
                info, {.shape = {.block = block, .halo = Rule::Inputs::radius, .alignment = 128},
                       .kernel = {read_only_kernel<Rule>}});
    }
};

CAMBER_TARGET_END
