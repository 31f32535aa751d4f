// Faulty techniques, each of which the harness must reject.
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// Fault of the technique.
enum class Fault { diagonal_forgotten, cell_left_out, halo_overwritten, out_of_bounds };

template <class Rule, Fault fault>
__global__ void wrong_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    if (fault == Fault::cell_left_out && row == 5 && column == 7) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if (fault == Fault::diagonal_forgotten && dcol == 1 && drow == 1 && row == 3)
            return Tag::outside();
        if (fault == Fault::out_of_bounds && row == 2 && column == 4)
            return views.input(tag)(row - 4, column, site);
        return views.input(tag)(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
    if (fault == Fault::halo_overwritten && row == 0 && column == 0)
        get<0>(views.outputs)(-1, 1) = 1;
}

template <Fault fault>
struct Wrong {
    static constexpr TechniqueInfo info{"wrong", "a technique with a planted fault", "none"};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(info,
                      {.shape = {.block = {16, 16}, .halo = Rule::Inputs::radius, .alignment = 128},
                       .kernel = {wrong_kernel<Rule, fault>}});
    }
};

CAMBER_TARGET_END
