// A cell of SCIARA-fv2 as a thread has it that computes the cell's outflows and keeps them.
#pragma once

#include "variants/techniques/techniques.hpp"
#include "workloads/sciara_fv2/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

struct LavaCell {
    bool inside;                              // on the board
    bool takes_part;                          // and not of the frame
    double h = 0;                             // m
    double t = 0;                             // K
    double out[sciara_fv2::neighbours] = {};  // towards each neighbour, m

    // `Rule`: Transport. (A template, as nvcc wants for what each_neighbour() calls.)
    template <class Rule>
    CAMBER_DEVICE LavaCell(const Views<Rule>& views, int row, int column) {
        const Grid<const double>& altitude = views.input(Altitude<2>{});
        const Grid<const double>& thickness = views.input(Thickness<2>{});
        inside = views.inside(row, column);
        takes_part = inside && views.input(Frame<1>{})(row, column) == 0;
        if (inside) {
            h = thickness(row, column);
            t = views.input(Temperature<1>{})(row, column);
        }
        if (!takes_part || !(h > 0)) return;
        double heads[neighbours + 1];
        heads[0] = altitude(row, column);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const int r = row + row_offset(k);
            const int c = column + column_offset(k);
            const double z_k = altitude(r, c);
            const double h_k = thickness(r, c);
            heads[k] = head(k, heads[0], z_k, h_k);
        });
        outflows(heads, h, t, views.parameters, out);
    }

    // The sum of all, m.
    CAMBER_DEVICE double outflow() const {
        double sum = 0;
        for (int k = 1; k <= sciara_fv2::neighbours; ++k) sum += out[k - 1];
        return sum;
    }
};

// A kernel in which every thread of a block keeps a cell and those of its rim compute outflows
// only, with `planes` numbers per thread in shared memory.
inline StencilVariant<sciara_fv2::Transport> transport_variant(
    Region block, int planes, Kernel<sciara_fv2::Transport> kernel) {
    const int threads = block.columns * block.rows;
    const Region others = threads == 512 ? Region{32, 8} : block;
    return {.shape = {.block = block,
                      .region = {block.columns - 2, block.rows - 2},
                      .shared_bytes = sizeof(double) * planes * threads},
            .kernel = {kernel},
            .stand_in = {"global", others.name()}};
}

CAMBER_TARGET_END
