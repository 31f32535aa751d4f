// halo: a ring of cells around the board replaces the tests of its edge; all reads are from global
// memory. Balasalle 2011, section 5.2.1, Figure 5.4; alignment of the rows: Figure 5.9.
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule>
__global__ void halo_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

// Kernel for a board that is stored transposed: the rule's columns are rows in memory.
template <class Rule>
__global__ void halo_across_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(row + dcol, column + drow, site);
    };
    store(views, row, column, apply(views, read));
}

struct Halo {
    static constexpr TechniqueInfo info{
        "halo", "all reads from global memory, a halo for the edges",
        "Balasalle 2011, section 5.2.1, Figure 5.4", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : published_blocks)
            for (const int alignment : {unaligned, 128})
                catalogue.add(info, variant<Rule>(block, alignment));
    }

    template <class Rule>
    static StencilVariant<Rule> variant(Region block, int alignment) {
        StencilVariant<Rule> made{
            .shape = {.block = block, .halo = Rule::Inputs::radius, .alignment = alignment},
            .kernel = {halo_kernel<Rule>}};
        if constexpr (Rule::Inputs::radius > 0 && !is_symmetric<Rule>())
            made.across_kernel = {halo_across_kernel<Rule>};
        return made;
    }
};

CAMBER_TARGET_END
