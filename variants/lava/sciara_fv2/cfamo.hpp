// cfamo, conflict-free, optimized for memory: as cfame, but a thread keeps its cell's outflows in
// registers, and shared memory holds two sums per cell, of the thickness and of the heat that come.
// All threads give to the neighbors on one side, then to those on the next, with a barrier
// between: so each sum is added to by one thread at a time, without atomics and in the same order
// in every run. It is another order than that of the model. The originators' threads without lava
// leave before the barriers; here all stay. D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo,
// Mendicino, Sabatino, "Efficient Execution of Flow-Based Low-Order Stencil Algorithms on GPUs"
// (SSRN 5056757).
#pragma once

#include "variants/lava/sciara_fv2/lava_cell.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// BX x BY threads, of which those of the rim only compute outflows.
template <int BX, int BY, Surroundings around>
__global__ void cfamo_kernel(const Views<sciara_fv2::Transport> views) {
    __shared__ Tile<double, BY, BX> thickness;
    __shared__ Tile<double, BY, BX> heat;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = static_cast<int>(blockIdx.y) * (BY - 2) + y - 1;
    const int column = static_cast<int>(blockIdx.x) * (BX - 2) + x - 1;
    const LavaCell cell(views, row, column, around);
    thickness(y, x) = 0;
    heat(y, x) = 0;
    __syncthreads();

    each_neighbour([&]<int k>(Neighbour<k>) {
        const int to_y = y + row_offset(k);
        const int to_x = x + column_offset(k);
        const double out = cell.out[k - 1];
        const Site thickness_site = Site::current();
        const Site heat_site = Site::current();
        // A neighbor outside is another block's, which computes this cell's outflows too.
        if (out > 0 && to_x >= 0 && to_x < BX && to_y >= 0 && to_y < BY) {
            thickness(to_y, to_x, thickness_site) += out;
            heat(to_y, to_x, heat_site) += out * cell.t;
        } else {
            skip(thickness_site);
            skip(heat_site);
        }
        __syncthreads();
    });

    if (!views.inside(row, column) || x == 0 || x == BX - 1 || y == 0 || y == BY - 1) return;
    Values<double, double> result{cell.h, {cell.t, {}}};
    if (cell.takes_part) {
        Mixture mixture(cell.h - cell.outflow(), cell.t);
        mixture.thickness += thickness(y, x);
        mixture.heat += heat(y, x);
        result = after_exchange(mixture, cell.h, cell.t);
    }
    store(views, row, column, result);
}

struct Cfamo {
    static constexpr TechniqueInfo info{
        "cfamo", "as cfame, with two sums per cell in shared memory, added to side by side",
        "D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN 5056757",
        Family::shared_memory};

    static constexpr int sums = 2;  // of mass and of heat

    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        add<8, 8>(catalogue);
        add<16, 16>(catalogue);
        add<32, 8>(catalogue);
        add<32, 16>(catalogue);
    }

  private:
    template <int BX, int BY>
    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        add_transport(
            catalogue, info, {BX, BY}, sums,
            {cfamo_kernel<BX, BY, Surroundings::edge>, cfamo_kernel<BX, BY, Surroundings::halo>});
    }
};

CAMBER_TARGET_END
