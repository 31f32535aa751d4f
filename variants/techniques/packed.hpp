// packed: every thread computes N adjacent cells and moves them by accesses of N cells (float2,
// uint4); neighbors to the left and right are loaded separately. two_element_packed: two such packs
// per thread, one block width apart. Balasalle 2011, section 4.2.2 (packing) and Table 5.3; 16-byte
// accesses and several rows per thread are additions.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, int N, int Rows, int Elements, Fit fit>
__global__ void packed_kernel(const Views<Rule> views) {
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;
    const int block_column = blockIdx.x * blockDim.x * Elements;
#pragma unroll
    for (int e = 0; e < Elements; ++e) {
        const int column = (block_column + e * blockDim.x + threadIdx.x) * N;
        if (!on_board<fit>(views, row, column)) continue;
        const RowWindow<Rule, N, Rows, Sides::loads, fit> window(views, row, column);
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            store_row<N, fit>(views, row + r, column, [&](int c) { return window.next(r, c); });
    }
}

struct Packed {
    static constexpr TechniqueInfo info{
        "packed", "adjacent cells in one access, neighbours beside them loaded singly",
        "Balasalle 2011, section 4.2.2 and Table 5.3", Family::several_cells};
    static constexpr TechniqueInfo two_info{
        "two_element_packed", "as packed, two packs per thread, a block's width apart",
        "Balasalle 2011, section 4.2.2 and Table 5.3", Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        constexpr int widest = widest_pack<Rule>();
        catalogue.add(info, variant<Rule, 2, 1, 1>({64, 4}));
        if constexpr (!is_heavy<Rule>()) catalogue.add(info, variant<Rule, widest, 1, 1>({64, 4}));
        if constexpr (!is_large<Rule>()) {
            catalogue.add(info, variant<Rule, 2, 1, 1>({16, 16}));
            catalogue.add(two_info, variant<Rule, 2, 1, 2>({64, 4}));
            catalogue.add(info, variant<Rule, widest, 1, 1>({16, 16}));
            if constexpr (widest > 2) catalogue.add(info, variant<Rule, widest, 4, 1>({64, 4}));
        }
    }

  private:
    template <class Rule, int N, int Rows, int Elements>
    static StencilVariant<Rule> variant(Region block) {
        return {.shape = {.block = block,
                          .region = {block.columns * N * Elements, block.rows * Rows},
                          .halo = Rule::Inputs::radius,
                          .alignment = 128,
                          .elements_per_thread = N * Rows * Elements,
                          .path = block.name() + "/v" + std::to_string(N) +
                                  (Rows > 1 ? "/r" + std::to_string(Rows) : "")},
                .kernel = {packed_kernel<Rule, N, Rows, Elements, Fit::overhang>,
                           packed_kernel<Rule, N, Rows, Elements, exact_if_short<Rule>>}};
    }
};

CAMBER_TARGET_END
