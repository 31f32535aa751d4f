// cfame, conflict-free, as much memory as the flows: a block computes the outflows of its cells and
// of a ring around them into shared memory, each thread those of its own cell, and gathers from
// there what comes and goes; no flow passes through global memory. Outflows of the ring are
// computed again by the blocks that own them. D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo,
// Mendicino, Sabatino, "Efficient Execution of Flow-Based Low-Order Stencil Algorithms on GPUs"
// (SSRN 5056757).
#pragma once

#include "variants/techniques.hpp"
#include "workloads/sciara_fv2/rules.hpp"

CAMBER_TARGET_BEGIN

// BX x BY threads, of which those of the rim only compute outflows.
template <int BX, int BY>
__global__ void cfame_kernel(const Views<sciara_fv2::Transport> views) {
    using namespace sciara_fv2;
    __shared__ Tile<double, neighbours * BY, BX> flows;  // plane by plane
    const Grid<const double>& altitude = views.input(Altitude<2>{});
    const Grid<const double>& thickness = views.input(Thickness<2>{});
    const Grid<const double>& temperature = views.input(Temperature<1>{});
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = static_cast<int>(blockIdx.y) * (BY - 2) + y - 1;
    const int column = static_cast<int>(blockIdx.x) * (BX - 2) + x - 1;
    const bool inside = views.inside(row, column);
    const bool takes_part = inside && views.input(Frame<1>{})(row, column) == 0;
    double h = 0;
    double t = 0;
    if (inside) {
        h = thickness(row, column);
        t = temperature(row, column);
    }

    double own[neighbours] = {};
    if (takes_part && h > 0) {
        double heads[neighbours + 1];
        heads[0] = altitude(row, column);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const int r = row + row_offset(k);
            const int c = column + column_offset(k);
            const double z_k = altitude(r, c);
            const double h_k = thickness(r, c);
            heads[k] = head(k, heads[0], z_k, h_k);
        });
        outflows(heads, h, t, views.parameters, own);
    }
    each_neighbour([&]<int k>(Neighbour<k>) { flows((k - 1) * BY + y, x) = own[k - 1]; });
    __syncthreads();

    if (!inside || x == 0 || x == BX - 1 || y == 0 || y == BY - 1) return;
    Values<double, double> result{h, {t, {}}};
    if (takes_part) {
        Mixture mixture(h, t);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const double in =
                flows((opposite(k) - 1) * BY + y + row_offset(k), x + column_offset(k));
            const double t_k = temperature(row + row_offset(k), column + column_offset(k));
            mixture.exchange(in, t_k, own[k - 1], t);
        });
        result = after_exchange(mixture, h, t);
    }
    store(views, row, column, result);
}

struct Cfame {
    static constexpr TechniqueInfo info{
        "cfame", "outflows of a block and its ring in shared memory, none in global memory",
        "D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN 5056757"};

    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        catalogue.add(info, variant<8, 8>());
        catalogue.add(info, variant<16, 16>());
        catalogue.add(info, variant<32, 8>());
        catalogue.add(info, variant<32, 16>());
    }

  private:
    template <int BX, int BY>
    static StencilVariant<sciara_fv2::Transport> variant() {
        const Region block{BX, BY};
        return {.path = block.name(),
                .block = block,
                .region = {BX - 2, BY - 2},
                .halo = 0,
                .alignment = unaligned,
                .shared_bytes = sizeof(double) * sciara_fv2::neighbours * BX * BY,
                .kernel = {cfame_kernel<BX, BY>},
                .stand_in = BX * BY == 512 ? "global/32x8/unaligned" : ""};
    }
};

CAMBER_TARGET_END
