// A kernel whose accesses depend on its data: living cells load their right neighbor, and no cell
// computes anything. It is only for counting.
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule>
__global__ void look_right_if_alive_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto cells = views.input(typename Rule::Inputs::template At<0>{});
    const typename Rule::Cell self = cells(row, column);
    store(views, row, column, load_if(self != 0, cells, row, column + 1, self));
}

struct LookRightIfAlive {
    static constexpr TechniqueInfo info{"look_right_if_alive", "accesses depend on data", "a test"};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info, {.shape = {.block = {32, 4}, .halo = 1, .alignment = 128},
                             .kernel = {look_right_if_alive_kernel<Rule>}});
    }
};

CAMBER_TARGET_END
