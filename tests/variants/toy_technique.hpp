// transposed: like halo, but threadIdx.x runs along the rows, so the accesses of adjacent lanes are
// a whole row apart. It is the classical mistake (Balasalle 2011, section 4.2.2); this technique
// measures its cost.
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule>
__global__ void transposed_kernel(const Views<Rule> views) {
    const int row = blockIdx.y * blockDim.x + threadIdx.x;
    const int column = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return views.input(tag)(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

struct Transposed {
    static constexpr TechniqueInfo info{"transposed", "as halo, consecutive threads in a column",
                                        "Balasalle 2011, section 4.2.2", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info,
                      {.shape = {.block = {16, 16}, .halo = Rule::Inputs::radius, .alignment = 128},
                       .kernel = {transposed_kernel<Rule>}});
    }
};

CAMBER_TARGET_END
